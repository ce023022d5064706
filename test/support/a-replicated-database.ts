import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../../server/database/connect.ts";
import { chooseAccount } from "../../server/database/embedded/account.ts";
import { findBinaries } from "../../server/database/embedded/find-binaries.ts";
import { launchEmbedded } from "../../server/database/launch-embedded.ts";
import { freePort } from "../e2e/support/product.ts";

/** A PostgreSQL and a hot standby that follows it. */
export interface ReplicatedDatabase {
  readonly url: string;
  readonly standbyUrl: string;
  stop(): Promise<void>;
}

const POLL_MS = 50;
const START_TIMEOUT_MS = 60_000;

async function untilFollowing(url: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < START_TIMEOUT_MS; waitedMs += POLL_MS) {
    const sql = connect(url, { max: 1, applicationName: "cupo test" });
    const [answer] = await Promise.allSettled([sql`select 1 where pg_is_in_recovery()`]);
    await sql.end({ timeout: 1 });
    if (answer.status === "fulfilled" && answer.value.length === 1) return;
    await sleep(POLL_MS);
  }
  throw new Error("the standby did not start");
}

/** Runs a standby on a copy of a cluster; `pg_basebackup`, which would make one, is not among our binaries. */
async function startStandby(cluster: string, port: number, primary: URL): Promise<ChildProcess> {
  const { postgres } = await findBinaries();
  const source = [
    `host=${primary.hostname} port=${primary.port}`,
    `user=${primary.username} password=${primary.password}`,
  ].join(" ");
  appendFileSync(join(cluster, "postgresql.auto.conf"), `\nprimary_conninfo = '${source}'\n`);
  writeFileSync(join(cluster, "standby.signal"), "");
  chmodSync(join(cluster, "standby.signal"), 0o644);
  const settings = { port, listen_addresses: "127.0.0.1", unix_socket_directories: "", max_connections: 200 };
  const parameters = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return spawn(postgres, ["-D", cluster, ...parameters, "-c", "fsync=off"], {
    ...chooseAccount(cluster),
    cwd: cluster,
    env: { LC_ALL: "C" },
    stdio: "ignore",
  });
}

/** Starts both, empty; `stop` ends them and removes their files. */
export async function aReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const home = mkdtempSync(join(tmpdir(), "cupo-replica-"));
  chmodSync(home, 0o755);
  const options = { dataDir: join(home, "primary"), randomBytes, durable: false };
  await (await launchEmbedded(options)).stop();
  const cluster = join(home, "standby");
  execFileSync("cp", ["-a", join(home, "primary", "postgres"), cluster]);
  const primary = await launchEmbedded(options);
  const port = await freePort();
  const standby = await startStandby(cluster, port, new URL(primary.url));
  const standbyUrl = primary.url.replace(`:${primary.port}/`, `:${port}/`);
  const stop = async (): Promise<void> => {
    const ended = once(standby, "exit");
    standby.kill("SIGINT");
    await ended;
    await primary.stop();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    await untilFollowing(standbyUrl);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: primary.url, standbyUrl, stop };
}
