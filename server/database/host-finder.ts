import { once } from "node:events";
import { connect as connectSocket, type Socket } from "node:net";
import { Duplex } from "node:stream";
import type { DatabaseAddress, DatabaseHost, TargetSession } from "./database-url.ts";
import { postgres } from "./driver.ts";

const PROBE_TIMEOUT_SECONDS = 3;

/**
 * Opens the sockets of a pool whose address names several hosts or a `target_session_attrs`: each host is asked in turn
 * whether it serves and is of the wanted kind. The driver can do this too, but when every host is away it tries for
 * ever without telling; here the statement fails within a few seconds per host.
 */
export function hostFinder(address: DatabaseAddress): () => Promise<Duplex> {
  let search: Promise<DatabaseHost> | undefined;
  return async () => {
    // The connections of one pool open together and share one search.
    search ??= findHost(address).finally(() => {
      search = undefined;
    });
    try {
      return await openSocket(await search);
    } catch (error) {
      return brokenStream(error);
    }
  };
}

async function findHost(address: DatabaseAddress): Promise<DatabaseHost> {
  let failure: unknown;
  for (const target of targetsOf(address)) {
    for (const host of address.hosts) {
      try {
        await probe(address.urlOf(host), target);
        return host;
      } catch (error) {
        failure = error;
      }
    }
  }
  throw failure;
}

/** `prefer-standby` is two searches: a standby, else anything. */
function targetsOf({ targetSession }: DatabaseAddress): readonly (TargetSession | undefined)[] {
  return targetSession === "prefer-standby" ? ["standby", undefined] : [targetSession];
}

async function probe(url: string, target: TargetSession | undefined): Promise<void> {
  const sql = postgres(url, {
    max: 1,
    connect_timeout: PROBE_TIMEOUT_SECONDS,
    fetch_types: false,
    onnotice: () => undefined,
    target_session_attrs: target,
  });
  try {
    await sql`select 1`;
  } finally {
    await sql.end({ timeout: 0 });
  }
}

async function openSocket({ host, port }: DatabaseHost): Promise<Socket> {
  const socket = connectSocket({ host, port });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(PROBE_TIMEOUT_SECONDS * 1000) });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  // The driver checks a certificate against this name.
  return Object.assign(socket, { host });
}

/**
 * The driver forgets a connection whose socket was never made, and one that breaks before its first write never writes
 * again. So a failure is handed over as a stream that breaks at its first write.
 */
function brokenStream(error: unknown): Duplex {
  const cause = error instanceof Error ? error : new Error(String(error));
  return new Duplex({
    read: () => undefined,
    write: (_chunk, _encoding, done) => done(cause),
  });
}
