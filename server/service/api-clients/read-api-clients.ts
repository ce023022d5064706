import type { Scope } from "../../../src/contract/shared/scopes.ts";
import type { Sql, Tx } from "../../database/connect.ts";
import { apiClientSecretId } from "./api-client-secret.ts";

/** A live secret, by its id. */
interface LiveSecret {
  readonly id: string;
  readonly createdAt: Date;
}

/** An API client with the ids of its live secrets, never with a secret. */
export interface ApiClientRecord {
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
  /** Those that get tokens, oldest first; none of a disabled client. */
  readonly secrets: readonly LiveSecret[];
}

/** Which clients of an entity to read, newest first. */
export interface ApiClientFilter {
  readonly entityId: string;
  readonly clientId?: string;
  /** The list goes on after this client. */
  readonly after?: string | undefined;
  readonly limit?: number;
}

interface SecretRow {
  readonly clientId: string;
  readonly hash: Uint8Array;
  readonly createdAt: Date;
}

/** Reads API clients of an entity with the ids of their live secrets, newest client first. */
export async function readApiClients(sql: Sql | Tx, filter: ApiClientFilter): Promise<readonly ApiClientRecord[]> {
  const { entityId, clientId, after, limit = null } = filter;
  const clients = await sql<Omit<ApiClientRecord, "secrets">[]>`
    select id as "clientId", name, scopes, created_at as "createdAt", disabled_at as "disabledAt"
    from service.api_clients
    where entity_id = ${entityId}
      ${clientId === undefined ? sql`` : sql`and id = ${clientId}`}
      ${
        after === undefined
          ? sql``
          : sql`and (created_at, id) < (
            select created_at, id from service.api_clients where id = ${after} and entity_id = ${entityId})`
      }
    order by created_at desc, id desc
    limit ${limit}`;
  const live = clients.filter(({ disabledAt }) => disabledAt === null).map((client) => client.clientId);
  const secrets = await readLiveSecrets(sql, live);
  return clients.map((client) => ({ ...client, secrets: secrets.get(client.clientId) ?? [] }));
}

async function readLiveSecrets(sql: Sql | Tx, clientIds: string[]): Promise<ReadonlyMap<string, LiveSecret[]>> {
  const rows = await sql<SecretRow[]>`
    select client_id as "clientId", secret_hash as hash, created_at as "createdAt"
    from service.api_client_secrets
    where client_id = any(${clientIds}) and revoked_at is null
    order by created_at, secret_hash`;
  return Map.groupBy(
    rows.map(({ hash, createdAt, clientId }) => ({ clientId, id: apiClientSecretId(hash), createdAt })),
    ({ clientId }) => clientId,
  );
}
