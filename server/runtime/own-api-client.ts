import { join } from "node:path";
import { SCOPES, type Scope } from "../../src/contract/shared/scopes.ts";
import type { Sql } from "../database/connect.ts";
import { readSecret, writeSecret } from "../database/keep-secret.ts";

import { createApiClient, verifyApiClientSecret } from "../service/api-clients/api-clients.ts";

import type { ApiCaller } from "../service/shared/service-context.ts";

/** The credentials of an API client that this installation uses itself, and the entity that it acts for. */
export interface OwnApiClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly entityId: string;
}

/** Options and dependencies of {@link ownApiClient}. */
export interface OwnApiClientOptions {
  readonly sql: Sql;
  readonly dataDir: string;
  /** The entity that the client acts for. */
  readonly entityId: string;
  /** Names the client, and the secret file that keeps its credentials. */
  readonly name: string;
  /** The scopes of its tokens. A client that an earlier version made with fewer is given the others. */
  readonly scopes: readonly Scope[];
  readonly clock: () => Date;
  readonly random: (length: number) => Uint8Array;
}

async function makeApiClient(options: OwnApiClientOptions): Promise<OwnApiClient> {
  const { sql, entityId, name, scopes, clock, random } = options;
  return sql.begin(async (tx) => {
    const credentials = await createApiClient(tx, { entityId, name, scopes }, { now: clock(), randomBytes: random });
    return { ...credentials, entityId };
  });
}

/** Gives the client the scopes that it lacks and takes none away. */
async function extendScopes(sql: Sql, { clientId, scopes }: ApiCaller, wanted: readonly Scope[]): Promise<void> {
  if (wanted.every((scope) => scopes.includes(scope))) return;
  const extended = SCOPES.filter((scope) => scopes.includes(scope) || wanted.includes(scope));
  await sql`update service.api_clients set scopes = ${extended} where id = ${clientId}`;
}

function pathOf(dataDir: string, name: string): string {
  return join(dataDir, `api-client-${name}.json`);
}

/**
 * Reads the API client of that name from its secret file in the data folder, whether or not the database still knows
 * it; undefined where there is none.
 */
export function keptApiClient(dataDir: string, name: string): OwnApiClient | undefined {
  const kept = readSecret(pathOf(dataDir, name));
  // A start that was cut short by an older version left "null".
  return kept === undefined ? undefined : ((JSON.parse(kept) as OwnApiClient | null) ?? undefined);
}

/**
 * Returns the API client that this installation uses itself: made once and kept in a secret file of the data folder,
 * made anew when the database does not know it (another database, or one that was restored), or it acts for another
 * entity.
 */
export async function ownApiClient(options: OwnApiClientOptions): Promise<OwnApiClient> {
  const { sql, dataDir, name, entityId, scopes } = options;
  const kept = keptApiClient(dataDir, name);
  if (kept?.entityId === entityId) {
    const caller = await verifyApiClientSecret(sql, kept);
    if (caller !== undefined) {
      await extendScopes(sql, caller, scopes);
      return kept;
    }
  }
  const made = await makeApiClient(options);
  writeSecret(pathOf(dataDir, name), JSON.stringify(made));
  return made;
}
