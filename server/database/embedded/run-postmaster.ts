import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { kill } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "./account.ts";
import { LaunchError } from "./launch-error.ts";
import { disownPostmasterFile, ownerOfPid, readPostmasterFile } from "./postmaster-file.ts";

/** Options of a PostgreSQL process. */
export interface PostmasterOptions {
  readonly postgres: string;
  readonly cluster: string;
  readonly logFile: string;
  readonly account: Account | undefined;
  readonly port: number;
  readonly durable: boolean;
}

/** A PostgreSQL that takes connections. */
export interface Postmaster {
  /** Settles when it ends, asked to or not. */
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

const POLL_MS = 20;
/** Long, because after a crash it first replays what was committed. */
const START_TIMEOUT_MS = 120_000;
const FAST_STOP_TIMEOUT_MS = 30_000;
const IMMEDIATE_STOP_TIMEOUT_MS = 10_000;
const LOG_LIMIT_BYTES = 10_000_000;
const LOG_TAIL_CHARACTERS = 2000;

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  shared_buffers: "128MB",
  max_wal_size: "1GB",
  checkpoint_timeout: "15min",
  password_encryption: "scram-sha-256",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",
  // Events of the server, not failed statements: those carry personal data, and the service logs what it must.
  log_min_messages: "log",
} as const;

const DURABLE = { fsync: "on", full_page_writes: "on", synchronous_commit: "on" } as const;
const FORGETFUL = { fsync: "off", full_page_writes: "off", synchronous_commit: "off" } as const;

/** Starts PostgreSQL on a cluster, in a session of its own so that the terminal's Ctrl-C does not reach it. */
export async function runPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { postgres, cluster, logFile, account, port, durable } = options;
  const settings = { ...SETTINGS, ...(durable ? DURABLE : FORGETFUL), port };
  const parameters = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const logStart = rotateLog(logFile);
  const log = openSync(logFile, "a", 0o600);
  const child = spawn(postgres, ["-D", cluster, ...parameters], {
    ...account,
    cwd: cluster,
    env: { LC_ALL: "C" },
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const exited = once(child, "exit").then(() => undefined);
  try {
    await untilReady(child, exited, cluster);
  } catch (cause) {
    child.kill("SIGQUIT");
    const said = readFileSync(logFile).subarray(logStart).toString().slice(-LOG_TAIL_CHARACTERS).trim();
    throw new LaunchError(`PostgreSQL did not start (${String(cause)}); ${logFile} says:\n${said}`, { cause });
  }
  return { exited, stop: () => stopProcess((signal) => child.kill(signal), exited) };
}

/**
 * Ends a PostgreSQL that outlived the process that started it, so that a new one can take the cluster. Only for the
 * holder of the folder's lock, who knows that nobody uses it.
 */
export async function endOrphan(cluster: string): Promise<void> {
  const left = readPostmasterFile(cluster);
  if (left === undefined) return;
  const owner = ownerOfPid(left.pid, cluster);
  if (owner === "gone" || owner === "something else") disownPostmasterFile(cluster);
  if (owner !== "this cluster") return;
  const gone = new AbortController();
  const exited = untilGone(left.pid, cluster, gone.signal);
  try {
    await stopProcess((signal) => signalIfThere(left.pid, signal), exited);
  } finally {
    gone.abort();
  }
}

async function untilReady(child: ChildProcess, exited: Promise<void>, cluster: string): Promise<void> {
  const ended = exited.then(() => true);
  for (let waitedMs = 0; waitedMs < START_TIMEOUT_MS; waitedMs += POLL_MS) {
    const state = readPostmasterFile(cluster);
    if (state?.pid === child.pid && state?.ready) return;
    if (await Promise.race([ended, sleep(POLL_MS, false)])) throw new Error("it ended while starting");
  }
  throw new Error(`it was not ready after ${START_TIMEOUT_MS} ms`);
}

/** Sends a signal to a process that may just have ended by itself. */
function signalIfThere(pid: number, signal: "SIGINT" | "SIGQUIT"): void {
  try {
    kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && Reflect.get(error, "code") === "ESRCH")) throw error;
  }
}

async function untilGone(pid: number, cluster: string, enough: AbortSignal): Promise<void> {
  while (!enough.aborted && ownerOfPid(pid, cluster) === "this cluster") await sleep(POLL_MS);
}

/** A fast shutdown: open transactions are rolled back, everything is written. Only if that hangs, an immediate one. */
async function stopProcess(send: (signal: "SIGINT" | "SIGQUIT") => void, exited: Promise<void>): Promise<void> {
  const ended = exited.then(() => true);
  for (const [signal, limitMs] of [
    ["SIGINT", FAST_STOP_TIMEOUT_MS],
    ["SIGQUIT", IMMEDIATE_STOP_TIMEOUT_MS],
  ] as const) {
    send(signal);
    if (await Promise.race([ended, sleep(limitMs, false, { ref: false })])) return;
  }
  throw new LaunchError("PostgreSQL does not stop: end its process by hand before the next start.");
}

/** Keeps one old log beside the present one; answers where this run's part begins. */
function rotateLog(logFile: string): number {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= LOG_LIMIT_BYTES) return size;
  renameSync(logFile, `${logFile}.1`);
  return 0;
}
