import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kill } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../../server/database/connect.ts";
import { chooseAccount } from "../../server/database/embedded/account.ts";
import { findBinaries } from "../../server/database/embedded/find-binaries.ts";
import { readPostmasterFile } from "../../server/database/embedded/postmaster-file.ts";
import { type EmbeddedDatabase, launchEmbedded } from "../../server/database/launch-embedded.ts";
import { freePort } from "../e2e/support/product.ts";

/** A PostgreSQL and a hot standby that follows it. */
export interface ReplicatedDatabase {
  readonly url: string;
  readonly standbyUrl: string;
  /** The address of both, of which the one that takes writes is used. */
  readonly writableUrl: string;
  /** From now on a commit waits for the standby. */
  beSynchronous(): Promise<void>;
  stopStandby(): Promise<void>;
  /** Starts the standby again; resolves when it follows the primary, or only takes connections where there is none. */
  startStandby(options?: { readonly follows: boolean }): Promise<void>;
  /** Kills the primary (SIGKILL): nothing is written or told any more. */
  killPrimary(): Promise<void>;
  /** Makes the standby a primary. */
  promote(): Promise<void>;
  /**
   * Stops the primary, which ends once the standby that follows it has all its commits; promotes the standby, and has
   * the old primary follow it.
   */
  switchOver(): Promise<void>;
  stop(): Promise<void>;
}

const POLL_MS = 50;
const START_TIMEOUT_MS = 60_000;

async function run(url: string, statement: string): Promise<number> {
  const sql = connect(url, { max: 1, applicationName: "cupo test" });
  try {
    return (await sql.unsafe(statement)).length;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function untilOne(url: string, statement: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < START_TIMEOUT_MS; waitedMs += POLL_MS) {
    if ((await run(url, statement).catch(() => 0)) === 1) return;
    await sleep(POLL_MS);
  }
  throw new Error("the standby did not start");
}

/** A standby on a copy of a cluster; `pg_basebackup`, which would make one, is not among our binaries. */
class Standby {
  readonly url: string;
  readonly #cluster: string;
  #process: ChildProcess | undefined;

  constructor(cluster: string, { own, primary }: { readonly own: string; readonly primary: string }) {
    this.#cluster = cluster;
    this.url = own;
    const { hostname, port, username, password } = new URL(primary);
    const source = `host=${hostname} port=${port} user=${username} password=${password}`;
    appendFileSync(join(cluster, "postgresql.auto.conf"), `\nprimary_conninfo = '${source}'\n`);
    writeFileSync(join(cluster, "standby.signal"), "");
    chmodSync(join(cluster, "standby.signal"), 0o666);
  }

  async start(follows: boolean): Promise<void> {
    const { postgres } = await findBinaries();
    const settings = {
      port: new URL(this.url).port,
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      max_connections: 200,
      fsync: "off",
    };
    const parameters = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    this.#process = spawn(postgres, ["-D", this.#cluster, ...parameters], {
      ...chooseAccount(this.#cluster),
      cwd: this.#cluster,
      env: { LC_ALL: "C" },
      stdio: "ignore",
    });
    const isThere = follows ? "select from pg_stat_wal_receiver where status = 'streaming'" : "select";
    await untilOne(this.url, isThere);
  }

  async stop(): Promise<void> {
    if (this.#process === undefined) return;
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGINT");
    await ended;
    this.#process = undefined;
  }
}

class Replicated implements ReplicatedDatabase {
  readonly url: string;
  readonly standbyUrl: string;
  readonly #home: string;
  readonly #primary: EmbeddedDatabase;
  readonly #standby: Standby;
  /** The old primary, once it follows the other. */
  #follower: Standby | undefined;

  constructor(home: string, primary: EmbeddedDatabase, standbyPort: number) {
    this.#home = home;
    this.#primary = primary;
    this.url = primary.url;
    this.standbyUrl = primary.url.replace(`:${primary.port}/`, `:${standbyPort}/`);
    this.#standby = new Standby(join(home, "standby"), { own: this.standbyUrl, primary: this.url });
  }

  get writableUrl(): string {
    const hosts = [this.url, this.standbyUrl].map((url) => new URL(url).host);
    return `${this.url.replace(/@[^/]+/, `@${hosts.join()}`)}?target_session_attrs=read-write`;
  }

  async beSynchronous(): Promise<void> {
    await run(this.url, "alter system set synchronous_standby_names = '*'");
    await run(this.url, "select pg_reload_conf()");
  }

  startStandby({ follows } = { follows: true }): Promise<void> {
    return this.#standby.start(follows);
  }

  stopStandby(): Promise<void> {
    return this.#standby.stop();
  }

  async killPrimary(): Promise<void> {
    const running = readPostmasterFile(this.#cluster);
    if (running === undefined) throw new Error("the primary does not run");
    kill(running.pid, "SIGKILL");
    await this.#primary.exited;
  }

  async promote(): Promise<void> {
    await run(this.standbyUrl, "select pg_promote()");
  }

  async switchOver(): Promise<void> {
    await this.#primary.stop();
    await this.promote();
    this.#follower = new Standby(this.#cluster, { own: this.url, primary: this.standbyUrl });
    await this.#follower.start(true);
  }

  async stop(): Promise<void> {
    await this.#follower?.stop();
    await this.#primary.stop();
    await this.#standby.stop();
    rmSync(this.#home, { recursive: true, force: true });
  }

  get #cluster(): string {
    return join(this.#home, "primary", "postgres");
  }
}

/** Starts both, empty; `stop` ends them and removes their files. */
export async function aReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const home = mkdtempSync(join(tmpdir(), "cupo-replica-"));
  chmodSync(home, 0o755);
  const options = { dataDir: join(home, "primary"), randomBytes, durable: false };
  await (await launchEmbedded(options)).stop();
  execFileSync("cp", ["-a", join(home, "primary", "postgres"), join(home, "standby")]);
  const database = new Replicated(home, await launchEmbedded(options), await freePort());
  try {
    await database.startStandby();
  } catch (error) {
    await database.stop();
    throw error;
  }
  return database;
}
