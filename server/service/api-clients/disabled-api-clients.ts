import type { Sql } from "../../database/connect.ts";
import { pollValue } from "../keys/polled-value.ts";
import { CLOCK_SKEW_MS, TOKEN_LIFETIME_SECONDS } from "../keys/signing-key.ts";

/** Which API clients' tokens are refused though they have not expired. */
export interface DisabledApiClients {
  /** Known within a minute of the disabling, in every process; asks the database once in half a minute at most. */
  has(clientId: string): Promise<boolean>;
}

/** Where the list is, and how long a token lives: a client disabled for longer has none left. */
export interface DisabledApiClientsOptions {
  readonly sql: Sql;
  readonly clock: () => Date;
  readonly tokenLifetimeSeconds?: number;
}

/** A reload may take a few seconds itself: all in all less than the minute that is promised. */
const POLL = { dueMs: 30_000, maxAgeMs: 50_000, retryMs: 5_000 } as const;

/** Loads the disabled clients whose tokens may still be about, and keeps the list fresh while it is asked. */
export async function loadDisabledApiClients(options: DisabledApiClientsOptions): Promise<DisabledApiClients> {
  const { sql, clock, tokenLifetimeSeconds = TOKEN_LIFETIME_SECONDS } = options;
  const lookBackMs = tokenLifetimeSeconds * 1000 + CLOCK_SKEW_MS;
  const list = await pollValue({
    async load() {
      const since = new Date(clock().getTime() - lookBackMs);
      const rows = await sql<{ id: string }[]>`select id from service.api_clients where disabled_at >= ${since}`;
      return new Set(rows.map(({ id }) => id));
    },
    clock,
    ...POLL,
  });
  return { has: async (clientId) => (await list.get()).has(clientId) };
}
