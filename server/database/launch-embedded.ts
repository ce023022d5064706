import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "./connect.ts";
import { assertMayEnter, chooseAccount } from "./embedded/account.ts";
import { onFreePort } from "./embedded/choose-port.ts";
import { findBinaries } from "./embedded/find-binaries.ts";
import { LaunchError } from "./embedded/launch-error.ts";
import { type FolderLock, lockFolder } from "./embedded/lock-folder.ts";
import { makeCluster } from "./embedded/make-cluster.ts";
import { readPostmasterFile } from "./embedded/postmaster-file.ts";
import { endOrphan, type Postmaster, runPostmaster } from "./embedded/run-postmaster.ts";
import { keepSecret } from "./keep-secret.ts";
import { makeDataFolder } from "./make-data-folder.ts";

export { LaunchError } from "./embedded/launch-error.ts";

/** Where and how the embedded PostgreSQL runs. */
export interface LaunchOptions {
  /** Holds the cluster, its log, its password and its port; made where missing. */
  readonly dataDir: string;
  /** Chosen once and kept in the folder when not given. */
  readonly port?: number | undefined;
  /** Off, a crash loses data: only for tests. */
  readonly durable?: boolean;
  /** So many bytes that nobody can guess: the password of a new cluster is made of them. */
  readonly randomBytes: (length: number) => Uint8Array;
}

/** An embedded PostgreSQL that takes connections. */
export interface EmbeddedDatabase {
  /** The address of Cupo's database, password included: a secret. */
  readonly url: string;
  readonly port: number;
  /** Settles when PostgreSQL ends, asked to or not. */
  readonly exited: Promise<void>;
  /** Ends it cleanly, within 40 seconds; after that the next start recovers what was committed. */
  stop(): Promise<void>;
}

const USER = "cupo";
const DATABASE = "cupo";
const PASSWORD_FILE = "database-password";
const POLL_MS = 50;
/** A Cupo that was started a moment ago may still be starting its PostgreSQL, after a crash a long time. */
const READY_TIMEOUT_MS = 120_000;
const PASSWORD_BYTES = 24;

/** Takes the data folder for this process. Throws {@link LaunchError} where another one that lives has it. */
export function takeFolder(dataDir: string): FolderLock {
  const lock = lockFolder(dataDir);
  if (lock !== undefined) return lock;
  throw new LaunchError(
    `Cupo is already running with the data folder ${dataDir}: stop it first, or set CUPO_DATA_DIR to another.`,
  );
}

/**
 * Runs a PostgreSQL of our own in the data folder, also as root. One that a killed process left behind is ended first;
 * when the process that runs it lives, this fails and says so. Throws {@link LaunchError}.
 */
export async function launchEmbedded(options: LaunchOptions): Promise<EmbeddedDatabase> {
  const dataDir = realpathSync(makeDataFolder(options.dataDir));
  const lock = takeFolder(dataDir);
  try {
    const { postmaster, url, port } = await start(dataDir, options);
    const stop = async (): Promise<void> => {
      try {
        await postmaster.stop();
      } finally {
        lock.release();
      }
    };
    let stopped: Promise<void> | undefined;
    return { url, port, exited: postmaster.exited, stop: () => (stopped ??= stop()) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * The address of the embedded PostgreSQL that another process runs in the data folder, once it takes connections;
 * undefined when none runs there. Throws {@link LaunchError}.
 */
export async function findRunningEmbedded(folder: string): Promise<string | undefined> {
  const dataDir = realpathSync(folder);
  for (let waitedMs = 0; waitedMs < READY_TIMEOUT_MS; waitedMs += POLL_MS) {
    const lock = lockFolder(dataDir);
    lock?.release();
    if (lock !== undefined) return undefined;
    const running = readPostmasterFile(join(dataDir, "postgres"));
    if (running?.ready === true) {
      const password = readFileSync(join(dataDir, PASSWORD_FILE), "utf8").trim();
      return `${serverUrl(password, running.port)}/${DATABASE}`;
    }
    await sleep(POLL_MS);
  }
  throw new LaunchError(`Cupo runs with the data folder ${dataDir}, but its database does not get ready.`);
}

function serverUrl(password: string, port: number): string {
  return `postgres://${USER}:${password}@127.0.0.1:${port}`;
}

async function start(
  dataDir: string,
  { port: configured, durable = true, randomBytes }: LaunchOptions,
): Promise<{ postmaster: Postmaster; url: string; port: number }> {
  const { postgres, initdb } = await findBinaries();
  const cluster = join(dataDir, "postgres");
  const account = chooseAccount(cluster);
  if (account !== undefined) assertMayEnter(account, [dataDir, dirname(postgres)]);
  const password = readPassword(dataDir, cluster, randomBytes);
  await endOrphan(cluster);
  await makeCluster({ initdb, cluster, user: USER, password, account, durable });
  const logFile = join(dataDir, "postgres.log");
  const { port, started: postmaster } = await onFreePort(configured, join(dataDir, "database-port"), (chosen) =>
    runPostmaster({ postgres, cluster, logFile, account, port: chosen, durable }),
  );
  const server = serverUrl(password, port);
  try {
    await makeDatabase(`${server}/postgres`);
  } catch (error) {
    await postmaster.stop();
    throw error;
  }
  return { postmaster, url: `${server}/${DATABASE}`, port };
}

function readPassword(dataDir: string, cluster: string, randomBytes: LaunchOptions["randomBytes"]): string {
  const path = join(dataDir, PASSWORD_FILE);
  if (existsSync(cluster) && !existsSync(path)) {
    throw new LaunchError(`${path} is missing, which opens the database in ${cluster}: put it back.`);
  }
  return keepSecret(path, () => Buffer.from(randomBytes(PASSWORD_BYTES)).toString("base64url"));
}

async function makeDatabase(url: string): Promise<void> {
  const sql = connect(url, { max: 1, applicationName: "cupo launcher" });
  try {
    const found = await sql`select from pg_database where datname = ${DATABASE}`;
    if (found.length === 0) await sql`create database ${sql(DATABASE)}`;
  } finally {
    await sql.end();
  }
}
