import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chooseAccount } from "../../server/database/embedded/account.ts";
import { freePort } from "../e2e/support/product.ts";

const POLL_MS = 20;
const START_POLLS = 500;

/** How a PgBouncer is set up. */
export interface PgBouncerOptions {
  readonly mode: "transaction" | "session" | "statement";
  /** Settings of sessions that it takes and forgets, where it would refuse them. */
  readonly ignored: readonly string[];
}

/** True where PgBouncer is installed. */
export function hasPgBouncer(): boolean {
  try {
    execFileSync("pgbouncer", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

async function untilListening(port: number): Promise<void> {
  for (let poll = 0; poll < START_POLLS; poll += 1) {
    const socket = createConnection(port, "127.0.0.1");
    const listens = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (listens) return;
    await sleep(POLL_MS);
  }
  throw new Error("PgBouncer did not start");
}

/** Runs a PgBouncer in front of a database, with the address that leads through it. */
export async function aPgBouncer(databaseUrl: string, { mode, ignored }: PgBouncerOptions) {
  const { hostname, port: target, username, password, pathname } = new URL(databaseUrl);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "cupo-pgbouncer-"));
  chmodSync(folder, 0o755);
  const file = join(folder, "pgbouncer.ini");
  const login = `user=${username} password=${password}`;
  const lines = [
    "[databases]",
    `${pathname.slice(1)} = host=${hostname} port=${target} ${login}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    `pool_mode = ${mode}`,
    ...(ignored.length === 0 ? [] : [`ignore_startup_parameters = ${ignored.join()}`]),
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  const process = spawn("pgbouncer", ["-q", file], { ...chooseAccount(folder), stdio: "ignore" });
  const exited = once(process, "exit");
  await untilListening(port);
  return {
    url: databaseUrl.replace(`:${target}/`, `:${port}/`),
    async stop(): Promise<void> {
      process.kill("SIGTERM");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
