import type { Sql } from "../../database/connect.ts";
import { pollValue } from "../keys/polled-value.ts";
import { LONGEST_TOKEN_LIFE_MS } from "../keys/signing-key.ts";
import type { ApiCaller } from "../shared/service-context.ts";
import { apiClientSecretId } from "./api-client-secret.ts";

/** The disabled API clients and retired secrets whose tokens are refused though they have not expired. */
export interface EndedCredentials {
  /**
   * Returns why the tokens of these credentials are refused, if they are: within a minute of the ending, in every
   * process; reads the database once in half a minute at most.
   */
  refusalOf(credentials: Pick<ApiCaller, "clientId" | "secretId">): Promise<string | undefined>;
}

/** The database, and the clock by which tokens of credentials that ended long ago have expired. */
export interface EndedCredentialsOptions {
  readonly sql: Sql;
  readonly clock: () => Date;
}

/** A reload may take a few seconds itself: all in all less than the minute that is promised. */
const POLL = { dueMs: 30_000, maxAgeMs: 50_000, retryMs: 5_000 } as const;

/** An ended credential: the client where `hash` is null, else that secret of it. */
interface EndedRow {
  readonly id: string;
  readonly hash: Uint8Array | null;
}

const entryOf = (clientId: string, secretId?: string): string =>
  secretId === undefined ? clientId : `${clientId} ${secretId}`;

/** Loads the ended credentials whose tokens may not have expired yet, and keeps the list fresh while it is used. */
export async function loadEndedCredentials({ sql, clock }: EndedCredentialsOptions): Promise<EndedCredentials> {
  const list = await pollValue({
    async load() {
      const since = new Date(clock().getTime() - LONGEST_TOKEN_LIFE_MS);
      const rows = await sql<EndedRow[]>`
        select id, null::bytea as hash from service.api_clients where disabled_at >= ${since}
        union all
        select client_id, secret_hash from service.api_client_secrets where revoked_at >= ${since}`;
      return new Set(rows.map(({ id, hash }) => entryOf(id, hash === null ? undefined : apiClientSecretId(hash))));
    },
    clock,
    ...POLL,
  });
  return {
    async refusalOf({ clientId, secretId }) {
      const ended = await list.get();
      if (ended.has(entryOf(clientId))) return "The API client is disabled.";
      if (secretId === undefined || !ended.has(entryOf(clientId, secretId))) return undefined;
      return "The secret that the token was obtained with was retired: get a token with the one that followed it.";
    },
  };
}
