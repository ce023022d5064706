import * as contract from "../../../src/contract/service/webhooks.ts";
import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { BodyOf } from "../../../src/contract/shared/operation.ts";
import type { Sql, Tx } from "../../database/connect.ts";
import { drawWebhookSecret } from "../../webhooks/draw-webhook-secret.ts";
import { webhookUrlFault } from "../../webhooks/webhook-url-fault.ts";
import { requireLiveApiClient } from "../api-clients/require-live-api-client.ts";
import { recordAccess } from "../shared/record-access.ts";
import { type ApiCaller, refuseFaults, type ServiceContext } from "../shared/service-context.ts";
import { lockEntity, markSendsEvents } from "./delivery-store.ts";
import { type WebhookRecord, webhookAnswer, webhookColumns } from "./webhook-answer.ts";
import { sealWebhookSecret } from "./webhook-secret.ts";

/**
 * Webhooks of one entity, disabled ones too. Each is a row more in the commit of every event: with 50 a batch of 500
 * payments took five times as long, and all other payments with it.
 */
const MOST_WEBHOOKS = 20;
/** How long the secret before a rotation goes on signing. */
const ROTATION_MS = 24 * 60 * 60 * 1000;

type Body = BodyOf<typeof contract.putWebhook>;

/** The secrets after a request, and the one that it made. */
interface Secrets {
  readonly sealedSecrets: readonly Uint8Array[];
  readonly previousSecretUntil: Date | null;
  readonly secret: string | undefined;
}

function secretsOf(service: ServiceContext, id: string, body: Body, found: WebhookRecord | undefined): Secrets {
  if (found !== undefined && body.rotate_secret !== true) return { ...found, secret: undefined };
  const secret = drawWebhookSecret(service.random);
  const made = sealWebhookSecret(service.webhooks.sealer, id, secret);
  if (found === undefined) return { sealedSecrets: [made], previousSecretUntil: null, secret };
  const previousSecretUntil = new Date(service.clock().getTime() + ROTATION_MS);
  return { sealedSecrets: [made, ...found.sealedSecrets.slice(0, 1)], previousSecretUntil, secret };
}

/** The time and reason of disabling; disabling it again on request keeps the first time. */
function disabledOf(body: Body, found: WebhookRecord | undefined, now: Date) {
  if (body.enabled !== false) return { disabled_at: null, disabled_reason: null };
  if (found?.disabledReason === "requested") return { disabled_at: found.disabledAt, disabled_reason: "requested" };
  return { disabled_at: now, disabled_reason: "requested" };
}

async function refuseMore(tx: Tx, entityId: string): Promise<void> {
  const [row] = await tx<{ count: bigint }[]>`
    select count(*) from service.webhook_endpoints where entity_id = ${entityId}`;
  if ((row?.count ?? 0n) < MOST_WEBHOOKS) return;
  throw new ApiError("webhook_limit", {
    detail: `An entity has at most ${MOST_WEBHOOKS} webhooks: put the new address under the name of one of them.`,
  });
}

function find(sql: Sql | Tx, entityId: string, name: string): Promise<WebhookRecord | undefined> {
  const rows = sql<WebhookRecord[]>`
    select ${webhookColumns(sql)} from service.webhook_endpoints where entity_id = ${entityId} and name = ${name}`;
  return rows.then(([row]) => row);
}

async function save(tx: Tx, service: ServiceContext, entityId: string, name: string, body: Body) {
  const now = service.clock();
  await lockEntity(tx, entityId);
  const found = await find(tx, entityId, name);
  if (found === undefined) await refuseMore(tx, entityId);
  const id = found?.id ?? service.webhooks.newId();
  const { sealedSecrets, previousSecretUntil, secret } = secretsOf(service, id, body, found);
  const settings = {
    url: body.url,
    event_types: [...(body.event_types ?? contract.EVENT_TYPES)],
    sealed_secrets: tx.array([...sealedSecrets]),
    previous_secret_until: previousSecretUntil,
    ...disabledOf(body, found, now),
  };
  const [saved] =
    found === undefined
      ? await tx<WebhookRecord[]>`
          insert into service.webhook_endpoints ${tx({ id, entity_id: entityId, name, created_at: now, ...settings })}
          returning ${webhookColumns(tx)}`
      : await tx<WebhookRecord[]>`
          update service.webhook_endpoints set ${tx(settings)} where id = ${id} returning ${webhookColumns(tx)}`;
  if (saved === undefined) throw new Error("a webhook was neither made nor changed");
  await markSendsEvents(tx, entityId);
  return { saved, secret };
}

/** True if a request changes nothing: then it takes no lock that payments wait for. */
function isSame({ url, event_types, enabled, rotate_secret }: Body, found: WebhookRecord): boolean {
  const types: readonly string[] = event_types ?? contract.EVENT_TYPES;
  if (rotate_secret === true || found.url !== url || types.length !== found.eventTypes.length) return false;
  const isStanding = enabled === false ? found.disabledReason === "requested" : found.disabledAt === null;
  return isStanding && types.every((type) => found.eventTypes.includes(type));
}

/**
 * Makes a webhook of the caller's entity, or replaces its settings; the answer has its secret only where one was made.
 */
export function putWebhook(service: ServiceContext): Handler<typeof contract.putWebhook, ApiCaller> {
  const { sql, clock, webhooks } = service;
  return async ({ params, body, principal, requestId }) => {
    const fault = webhookUrlFault(body.url, webhooks.network);
    refuseFaults(fault === undefined ? [] : [{ pointer: "/url", detail: fault }]);
    const standing = await find(sql, principal.entityId, params.name);
    if (standing !== undefined && isSame(body, standing)) return { body: webhookAnswer(standing, clock()) };
    const { saved, secret } = await sql.begin("isolation level read committed", async (tx) => {
      await requireLiveApiClient(tx, principal);
      const done = await save(tx, service, principal.entityId, params.name, body);
      const record = { madeBy: principal.clientId, requestId, action: "putWebhook", subject: done.saved.id };
      await recordAccess(tx, { ...record, outcome: "done" }, clock());
      return done;
    });
    // Deliveries that waited while it was disabled go out now.
    webhooks.wake();
    return { body: { ...webhookAnswer(saved, clock()), ...(secret === undefined ? {} : { secret }) } };
  };
}
