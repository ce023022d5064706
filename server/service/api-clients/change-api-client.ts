import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { Tx } from "../../database/connect.ts";
import type { Refusal } from "../../ledger/model/command.ts";
import { apiClientSecretId, MOST_LIVE_SECRETS } from "./api-client-secret.ts";
import { addSecret, type CreationContext } from "./api-clients.ts";
import { type ApiClientRecord, readApiClients } from "./read-api-clients.ts";
import { scopesBeyond } from "./scopes-beyond.ts";

/** The id of an API client, and of the entity that it must belong to: another entity's client counts as none. */
export interface EntityApiClient {
  readonly entityId: string;
  readonly clientId: string;
}

/** A change of an API client's secrets: those that end, a new one if it gets one, and the API client that asks. */
export interface Rotation {
  /** Ids of live secrets that end. */
  readonly retire: readonly string[];
  /** True if the client gets a new secret. */
  readonly newSecret: boolean;
  /** The client that asks; absent for a command at the terminal. */
  readonly caller?: ApiClientRecord;
}

/** An API client after a rotation, with its new plain secret where one was made: it is not shown again. */
export interface RotatedApiClient {
  readonly client: ApiClientRecord;
  readonly clientSecret: string | null;
}

const noSuchClient: Refusal = {
  code: "api_client_not_found",
  detail: "Your entity has no API client with that client_id.",
};

const isDisabled: Refusal = {
  code: "api_client_disabled",
  detail: "The API client is disabled for good: make another one.",
};

const lastSecret: Refusal = {
  code: "last_api_client_secret",
  detail: "Without that secret the API client could get no token: ask for a new one with it, or disable the client.",
};

function tooManySecrets(live: readonly { readonly id: string }[]): Refusal {
  const ids = live.map(({ id }) => id).join(" and ");
  return {
    code: "api_client_secret_limit",
    detail: `The API client has two live secrets, ${ids} (the older one first): name the one to end in retire.`,
  };
}

function notLive(faults: readonly Fault[]): Refusal {
  return {
    code: "api_client_secret_not_found",
    detail: "An id in retire is of no live secret of that API client: api-clients lists them.",
    faults,
  };
}

/** Locks and reads a client of the entity: concurrent rotations take turns here. */
async function lockClient(tx: Tx, own: EntityApiClient): Promise<ApiClientRecord | undefined> {
  const { clientId, entityId } = own;
  await tx`
    select from service.api_clients where id = ${clientId} and entity_id = ${entityId} for no key update`;
  const [client] = await readApiClients(tx, own);
  return client;
}

function refuseRotation({ disabledAt, secrets, scopes }: ApiClientRecord, rotation: Rotation): Refusal | undefined {
  const { retire, newSecret, caller } = rotation;
  const beyond = newSecret && caller !== undefined ? scopesBeyond(caller, scopes) : undefined;
  // The scopes are those of the client, and nowhere in the request.
  if (beyond !== undefined) return { code: beyond.code, detail: beyond.detail };
  if (disabledAt !== null) return isDisabled;
  const unknown = retire.flatMap((id, index): Fault[] =>
    secrets.some((secret) => secret.id === id) ? [] : [{ pointer: `/retire/${index}`, detail: "is no live secret" }],
  );
  if (unknown.length > 0) return notLive(unknown);
  const left = secrets.filter(({ id }) => !retire.includes(id)).length;
  if (!newSecret && left === 0) return lastSecret;
  return newSecret && left >= MOST_LIVE_SECRETS ? tooManySecrets(secrets) : undefined;
}

async function retireSecrets(tx: Tx, clientId: string, retire: readonly string[], now: Date): Promise<void> {
  const rows = await tx<{ hash: Uint8Array }[]>`
    select secret_hash as hash from service.api_client_secrets where client_id = ${clientId} and revoked_at is null`;
  for (const { hash } of rows.filter((row) => retire.includes(apiClientSecretId(row.hash)))) {
    await tx`
      update service.api_client_secrets set revoked_at = ${now}
      where client_id = ${clientId} and secret_hash = ${hash}`;
  }
}

/**
 * Ends secrets of an API client, adds a new one, or both, under a lock that makes rotations take turns. Two secrets may
 * be live at a time, so that a client rotates without downtime: a first rotation adds the new one, a second ends the
 * old. Returns a refusal where none would be left or a third would be live, for an unknown or disabled client, for an
 * id of no live secret, and for a new secret of a client with scopes that the caller's lacks.
 */
export async function rotateApiClient(
  tx: Tx,
  own: EntityApiClient,
  rotation: Rotation,
  making: CreationContext,
): Promise<RotatedApiClient | Refusal> {
  const client = await lockClient(tx, own);
  if (client === undefined) return noSuchClient;
  const refusal = refuseRotation(client, rotation);
  if (refusal !== undefined) return refusal;
  await retireSecrets(tx, own.clientId, rotation.retire, making.now);
  const clientSecret = rotation.newSecret ? await addSecret(tx, own.clientId, making) : null;
  const [rotated] = await readApiClients(tx, own);
  return { client: rotated ?? client, clientSecret };
}

/**
 * Disables an API client for good: from now on it gets no tokens, and those that it has are refused within a minute.
 * One that is disabled already keeps the time of the first disabling. Returns the client, or the refusal where the
 * entity has no such client.
 */
export async function disableApiClient(tx: Tx, own: EntityApiClient, now: Date): Promise<ApiClientRecord | Refusal> {
  const { clientId, entityId } = own;
  await tx`
    update service.api_clients set disabled_at = coalesce(disabled_at, ${now})
    where id = ${clientId} and entity_id = ${entityId}`;
  const [disabled] = await readApiClients(tx, own);
  return disabled ?? noSuchClient;
}
