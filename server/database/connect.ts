import { parseDatabaseUrl } from "./database-url.ts";
import { openConnection } from "./driver/open-connection.ts";
import { poolOf, type Sql } from "./driver/sql.ts";
import type { Statement } from "./driver/statement.ts";
import type { Counted, Row } from "./driver/tag.ts";

export { PoolerError } from "./driver/connection-error.ts";
export type { ReservedSql, Sql, Tx } from "./driver/sql.ts";

/** A part of a statement, to be put into another one. */
export type SqlPart = Statement<Counted<Row[]>>;

/** How many connections a pool may hold, and the name that it shows in pg_stat_activity. */
export interface ConnectOptions {
  readonly max: number;
  readonly applicationName: string;
  /** True where every statement finds its rows by their keys, and is planned so, once. Default: false. */
  readonly findsByKeys?: boolean;
}

/** How long a statement may take; the database ends it then. It does not end a commit that waits for its standby. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** How long a transaction may wait for its next statement; the database ends it then, also when its process is gone. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;

/**
 * Statements are planned once, not again for each size of their arrays. While a table is small PostgreSQL would plan to
 * read all of it, and keep that plan when it has grown.
 */
const BY_KEYS = Object.freeze({
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
});

/**
 * Opens a pool on a database address, which may name several hosts with `target_session_attrs`; connects when first
 * used. int8 is bigint, numeric and date are text, json and jsonb are **text in and text out**, timestamptz is a Date.
 */
export function connect(url: string, { max, applicationName, findsByKeys = false }: ConnectOptions): Sql {
  const address = parseDatabaseUrl(url);
  const settings = {
    application_name: applicationName,
    statement_timeout: String(STATEMENT_TIMEOUT_MS),
    idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_TIMEOUT_MS),
    // Dates are read as ISO in UTC, whatever the server or the role was set to.
    DateStyle: "ISO",
    TimeZone: "UTC",
    ...(findsByKeys ? BY_KEYS : {}),
    ...address.settings,
    // A statement that waited for a lock must see what was written meanwhile; transactions that need more name a level.
    default_transaction_isolation: "read committed",
    // A commit whose wait for a standby was cancelled is told by a warning alone.
    client_min_messages: "warning",
  };
  return poolOf({ max, open: () => openConnection(address, settings) });
}
