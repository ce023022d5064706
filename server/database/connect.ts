import type { Sql as DriverSql, PendingQuery, Row, TransactionSql } from "postgres";
import { ARRAY_TYPE_NUMBERS, ARRAY_TYPES } from "./array-types.ts";
import { DatabaseUrlError, parseDatabaseUrl } from "./database-url.ts";
import { postgres } from "./driver.ts";
import { hostFinder } from "./host-finder.ts";

/** What a parameter may be, beyond what the driver takes by itself. */
type ColumnValues = { [Name in keyof typeof COLUMN_TYPES]: ReturnType<(typeof COLUMN_TYPES)[Name]["parse"]> };

/** A pool of connections; a tagged template runs one statement, `begin` a transaction. */
export type Sql = DriverSql<ColumnValues>;

/** One transaction under way: functions that write take it as a required argument. */
export type Tx = TransactionSql<ColumnValues>;

/** A part of a statement, to be put into another one. */
export type SqlPart = PendingQuery<Row[]>;

/** How many connections a pool may hold, and the name that it shows in pg_stat_activity. */
export interface ConnectOptions {
  readonly max: number;
  readonly applicationName: string;
}

const CONNECT_TIMEOUT_SECONDS = 10;
/** A lost connection is tried again within this, so that a database that returns is soon used. */
const LONGEST_BACKOFF_SECONDS = 1;
const IDLE_SECONDS = 300;
/** How long a statement may take, `commit` among them; the database ends it then. */
export const STATEMENT_TIMEOUT_MS = 30_000;
/** How long a transaction may wait for its next statement; the database ends it then, also when its process is gone. */
export const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;

/**
 * What crosses between columns and JavaScript. `numeric` stays text, as the driver has it. Type numbers are those of
 * PostgreSQL's pg_type.
 */
const COLUMN_TYPES = {
  bigint: postgres.BigInt,
  /** json, jsonb: the text itself both ways, because a parsed number is no longer the number that was sent. */
  exactJson: { to: 3802, from: [114, 3802], serialize: jsonText, parse: asIs },
  /** timestamptz: a text goes in as it is, so that a cursor keeps its microseconds. */
  instant: { to: 1184, from: [1184], serialize: instantText, parse: instant },
  /** date, timestamp: no instant, so no Date. */
  calendar: { to: 1082, from: [1082, 1114], serialize: asIs, parse: asIs },
};

/**
 * Opens a pool on a database address, which may name several hosts with `target_session_attrs`; connects when first
 * used. int8 is bigint, numeric and date are text, json and jsonb are **text in and text out**, timestamptz is a Date.
 */
export function connect(url: string, { max, applicationName }: ConnectOptions): Sql {
  const address = parseDatabaseUrl(url);
  const [first] = address.hosts;
  if (first === undefined) throw new DatabaseUrlError("must name a host");
  const sql = postgres(address.urlOf(first), {
    max,
    types: { ...ARRAY_TYPES, ...COLUMN_TYPES },
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    idle_timeout: IDLE_SECONDS,
    backoff: (attempt) => Math.min(3 ** attempt / 100, LONGEST_BACKOFF_SECONDS),
    onnotice: () => undefined,
    connection: {
      application_name: applicationName,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      // Dates are read as ISO in UTC, whatever the server or the role was set to.
      DateStyle: "ISO",
      TimeZone: "UTC",
      // Whoever waits for a lock must see what was written meanwhile; what needs another level says so itself.
      default_transaction_isolation: "read committed",
    },
    ...(address.targetSession === undefined && address.hosts.length === 1 ? {} : { socket: hostFinder(address) }),
  });
  knowArrayTypes(sql);
  return sql;
}

/** So that `sql.array` sends the type of the array, not that of its elements. */
function knowArrayTypes({ options }: Sql): void {
  const shared: unknown = Reflect.get(options, "shared");
  const known: unknown = Reflect.get(Object(shared), "typeArrayMap");
  if (typeof known !== "object" || known === null) throw new Error("The driver keeps its array types elsewhere now.");
  Object.assign(known, ARRAY_TYPE_NUMBERS);
}

function asIs(text: string): string {
  return text;
}

function instant(text: string): Date {
  return new Date(text);
}

function jsonText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function instantText(value: Date | string): string {
  return typeof value === "string" ? value : value.toISOString();
}
