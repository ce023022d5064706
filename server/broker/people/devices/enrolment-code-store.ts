import type { Sql, Tx } from "../../../database/connect.ts";
import type { Sealer } from "../../../database/sealer.ts";
import { drawWebhookSecret } from "../../../webhooks/draw-webhook-secret.ts";
import type { RecordCreation } from "../../access/broker-context.ts";

/** The endpoint of the entity's backend that receives enrolment codes. */
export interface CodeEndpoint {
  readonly id: string;
  readonly url: string;
  readonly createdAt: Date;
}

/** Finds the endpoint for enrolment codes; undefined where the entity has none. */
export async function findCodeEndpoint(sql: Sql | Tx): Promise<CodeEndpoint | undefined> {
  const [endpoint] = await sql<CodeEndpoint[]>`
    select id, url, created_at as "createdAt" from broker.code_endpoints where ended_at is null`;
  return endpoint;
}

/** Ends the endpoint for enrolment codes: a code that it has not accepted is sent to nobody. */
export async function endCodeEndpoint(tx: Tx, at: Date): Promise<void> {
  await tx`update broker.code_endpoints set ended_at = ${at} where ended_at is null`;
}

/**
 * Sets the address that enrolment codes are sent to, in place of the one before; returns the secret that signs the
 * messages, which is shown only here.
 */
export async function setCodeEndpoint(
  tx: Tx,
  url: string,
  { sealer, random, newId, now }: RecordCreation & { readonly sealer: Sealer },
): Promise<string> {
  await endCodeEndpoint(tx, now);
  const [id, secret] = [newId(), drawWebhookSecret(random)];
  const sealed = sealer.seal("code-endpoint-secret", id, Buffer.from(secret, "utf8"));
  await tx`
    insert into broker.code_endpoints (id, url, sealed_secret, created_at) values (${id}, ${url}, ${sealed}, ${now})`;
  return secret;
}

/** Reads the secret that signs messages to an endpoint for codes. Throws `SealError`. */
export async function openEndpointSecret(sql: Sql, sealer: Sealer, id: string): Promise<string | undefined> {
  const [row] = await sql<{ sealed_secret: Uint8Array }[]>`
    select sealed_secret from broker.code_endpoints where id = ${id}`;
  return row && Buffer.from(sealer.open("code-endpoint-secret", id, row.sealed_secret)).toString("utf8");
}

/** Decrypts the sealed code of an enrolment. Throws `SealError`. */
export function openCode(sealer: Sealer, enrolmentId: string, sealed: Uint8Array): string {
  return Buffer.from(sealer.open("enrolment-code", enrolmentId, sealed)).toString("utf8");
}

/** Stores an enrolment's code, sealed, until the endpoint has accepted it or a second operator was shown it. */
export async function keepCode(
  tx: Tx,
  { enrolmentId, code, endpointId }: { enrolmentId: string; code: string; endpointId: string | undefined },
  sealer: Sealer,
  at: Date,
): Promise<void> {
  const sealed = sealer.seal("enrolment-code", enrolmentId, Buffer.from(code, "utf8"));
  await tx`
    insert into broker.enrolment_codes (enrolment_id, endpoint_id, sealed_code, next_attempt_at)
    values (${enrolmentId}, ${endpointId ?? null}, ${sealed}, ${at})`;
}

/**
 * Takes the code of a live enrolment for a second operator: one of all callers gets it, and it is stored no longer.
 * Undefined where it was taken already, goes to an endpoint, or is of the operator's own enrolment or one that is over.
 */
export async function takeCode(
  tx: Tx,
  { enrolmentId, operatorId }: { readonly enrolmentId: string; readonly operatorId: string },
  sealer: Sealer,
  at: Date,
): Promise<string | undefined> {
  const [row] = await tx<{ sealed_code: Uint8Array }[]>`
    with taken as (
      select c.enrolment_id, c.sealed_code
      from broker.enrolment_codes c join broker.enrolments e on e.id = c.enrolment_id
      where c.enrolment_id = ${enrolmentId} and c.endpoint_id is null and c.sealed_code is not null
        and e.made_by is distinct from ${operatorId} and e.used_at is null and e.withdrawn_at is null
        and e.tries_left > 0 and e.expires_at > ${at}
      for update of c)
    update broker.enrolment_codes c set sealed_code = null, told_to = ${operatorId}, told_at = ${at}
    from taken t where c.enrolment_id = t.enrolment_id
    returning t.sealed_code`;
  return row && openCode(sealer, enrolmentId, row.sealed_code);
}

/** Deletes the stored codes of enrolments that are over. */
export async function forgetCodes(sql: Sql, now: Date): Promise<void> {
  await sql`
    update broker.enrolment_codes c set sealed_code = null from broker.enrolments e
    where e.id = c.enrolment_id and c.sealed_code is not null
      and (e.expires_at <= ${now} or e.used_at is not null or e.withdrawn_at is not null or e.tries_left = 0)`;
}
