import type { Scope } from "../../../src/contract/shared/scopes.ts";
import type { Sql, Tx } from "../../database/connect.ts";
import type { ApiCaller } from "../shared/service-context.ts";
import { drawApiClientSecret, hashApiClientSecret, matchingSecretId } from "./api-client-secret.ts";

/** The id and the plain secret of an API client, as they are shown once and as a token request presents them. */
export interface ApiClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The present time and the source of randomness. */
export interface CreationContext {
  readonly now: Date;
  readonly randomBytes: (length: number) => Uint8Array;
}

/** The regular expression that every client id matches; other text need not be looked up. */
export const CLIENT_ID = /^client_[A-Za-z0-9_-]{16}$/;
const CLIENT_ID_BYTES = 12;

/** Stores a new financial entity with the given id and name. */
export async function createEntity(
  tx: Tx,
  { id, name, now }: { readonly id: string; readonly name: string; readonly now: Date },
): Promise<void> {
  await tx`insert into service.entities ${tx({ id, name, created_at: now })}`;
}

/**
 * Stores a new API client that acts for an entity, with the hash of its first secret. Returns the id and the plain
 * secret, which nobody can read again.
 */
export async function createApiClient(
  tx: Tx,
  { entityId, name, scopes }: { readonly entityId: string; readonly name: string; readonly scopes: readonly Scope[] },
  { now, randomBytes }: CreationContext,
): Promise<ApiClientCredentials> {
  const clientId = `client_${Buffer.from(randomBytes(CLIENT_ID_BYTES)).toString("base64url")}`;
  await tx`insert into service.api_clients ${tx({ id: clientId, entity_id: entityId, name, scopes, created_at: now })}`;
  return { clientId, clientSecret: await addSecret(tx, clientId, { now, randomBytes }) };
}

/**
 * Returns the caller that a client id and secret identify, with all scopes of the client; undefined when they are
 * wrong, in the same time for an unknown client.
 */
export async function verifyApiClientSecret(
  sql: Sql,
  { clientId, clientSecret }: ApiClientCredentials,
): Promise<ApiCaller | undefined> {
  // Text that is no client id may hold characters that PostgreSQL refuses; it is looked up as an id that none has.
  const asked = CLIENT_ID.test(clientId) ? clientId : "";
  // Both tables are read and a row comes back in any case, so that timing does not reveal which ids exist.
  const rows = await sql<{ entity_id: string | null; scopes: Scope[] | null; secret_hash: Uint8Array | null }[]>`
    select client.entity_id, client.scopes, secret.secret_hash
    from (select ${asked}::text as id) asked
    left join service.api_clients client on client.id = asked.id and client.disabled_at is null
    left join service.api_client_secrets secret on secret.client_id = asked.id and secret.revoked_at is null`;
  const hashes = rows.flatMap(({ secret_hash }) => (secret_hash === null ? [] : [secret_hash]));
  const secretId = matchingSecretId(clientSecret, hashes);
  const { entity_id: entityId, scopes } = rows[0] ?? { entity_id: null, scopes: null };
  if (secretId === undefined || entityId === null || scopes === null) return undefined;
  return { clientId, entityId, scopes, secretId };
}

/** Draws a new secret for an API client, stores its hash alone, and returns the plain secret. */
export async function addSecret(tx: Tx, clientId: string, { now, randomBytes }: CreationContext): Promise<string> {
  const clientSecret = drawApiClientSecret(randomBytes);
  const row = { client_id: clientId, secret_hash: hashApiClientSecret(clientSecret), created_at: now };
  await tx`insert into service.api_client_secrets ${tx(row)}`;
  return clientSecret;
}
