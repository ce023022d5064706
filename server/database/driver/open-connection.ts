import type { DatabaseAddress, DatabaseHost, TargetSession } from "../database-url.ts";
import { within } from "../within.ts";
import type { Composed } from "./compose.ts";
import { Connection, type Session } from "./connection.ts";
import { connectionError, isOfPooler, PoolerError } from "./connection-error.ts";
import { rowsOf } from "./rows-of.ts";

const CONNECT_TIMEOUT_MS = 10_000;
/** For each of several hosts, so that one that is silent does not keep us from the next. */
const HOST_TIMEOUT_MS = 3_000;

/** Why PostgreSQL could not be asked for TLS; there the client library has no code of its own. */
const WITHOUT_TLS = "The server does not support SSL connections";

/** The parts of an address that are about each of its hosts. */
type Wanted = Pick<DatabaseAddress, "targetSession" | "encryption">;

interface ServerState {
  readonly is_own: boolean;
  readonly only_reads: boolean;
  readonly is_standby: boolean;
}

/** A setting of our sessions alone: where it is missing, a pooler stands between and kept none of them. */
const OWN_SESSION = Object.freeze({ "cupo.session": "own" });

/** Asks for the state, and makes a commit wait for disk and standby where a weaker setting would not. */
const STATE_QUERY: Composed = Object.freeze({
  text: `select current_setting('cupo.session', true) is not distinct from 'own' as is_own,
    current_setting('transaction_read_only')::boolean as only_reads, pg_is_in_recovery() as is_standby,
    case when current_setting('synchronous_commit') in ('off', 'local', 'remote_write')
      then set_config('synchronous_commit', 'on', false) end`,
  types: [],
  values: [],
  copied: undefined,
  mode: "once",
});

const IS_WANTED: Readonly<Record<TargetSession, (state: ServerState) => boolean>> = Object.freeze({
  "read-write": ({ only_reads }) => !only_reads,
  "read-only": ({ only_reads }) => only_reads,
  primary: ({ is_standby }) => !is_standby,
  standby: ({ is_standby }) => is_standby,
  "prefer-standby": ({ is_standby }) => is_standby,
});

/**
 * Opens a connection to the first host of an address that serves and is of the wanted kind. Fails as the last of them
 * did; within a few seconds per host, because whoever asked waits.
 */
export async function openConnection(address: DatabaseAddress, settings: Session["settings"]): Promise<Connection> {
  const { hosts, targetSession, encryption } = address;
  const ownSettings = { ...settings, ...OWN_SESSION };
  const connectionTimeoutMillis = hosts.length === 1 ? CONNECT_TIMEOUT_MS : HOST_TIMEOUT_MS;
  // `prefer-standby` is two searches: a standby, else anything.
  const targets = targetSession === "prefer-standby" ? [targetSession, undefined] : [targetSession];
  let failure: unknown;
  for (const target of targets) {
    for (const host of hosts) {
      const session = { ...sessionOf(address, host), settings: ownSettings, connectionTimeoutMillis };
      try {
        return await openOne(session, { targetSession: target, encryption });
      } catch (error) {
        failure = error;
      }
    }
  }
  throw failure;
}

function sessionOf(address: DatabaseAddress, { host, port }: DatabaseHost) {
  return {
    host,
    port,
    database: address.database,
    // Where the address leaves these out the library takes them from the environment, as libpq does.
    user: address.user,
    password: address.password,
    ssl: address.encryption !== "none" && { rejectUnauthorized: address.encryption === "verified" },
    sslnegotiation: address.isDirectlyEncrypted ? ("direct" as const) : ("postgres" as const),
  };
}

async function openOne(session: Session, { targetSession, encryption }: Wanted): Promise<Connection> {
  const connection = await Connection.open(session).catch((error: unknown) => {
    const isRefused = error instanceof Error && error.message === WITHOUT_TLS;
    if (encryption === "preferred" && isRefused) return Connection.open({ ...session, ssl: false });
    throw isOfPooler(error) ? new PoolerError(error) : error;
  });
  try {
    const { connectionTimeoutMillis: limitMs = CONNECT_TIMEOUT_MS } = session;
    const answer = connection.run(STATE_QUERY);
    const [state] = rowsOf(await within(limitMs, answer, () => connectionError("CONNECT_TIMEOUT")));
    assertWanted(state as ServerState, targetSession);
    return connection;
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

function assertWanted(state: ServerState, target: TargetSession | undefined): void {
  if (!state.is_own) throw new PoolerError();
  if (target === undefined || IS_WANTED[target](state)) return;
  throw connectionError("CONNECTION_CLOSED", new Error(`the host is not ${target}`));
}
