import { execFile } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { promisify } from "node:util";
import { writeSecret } from "../keep-secret.ts";
import type { Account } from "./account.ts";
import { LaunchError } from "./launch-error.ts";

/** Options of a new cluster. */
export interface ClusterOptions {
  readonly initdb: string;
  readonly cluster: string;
  readonly user: string;
  readonly password: string;
  readonly account: Account | undefined;
  readonly durable: boolean;
}

const INITDB_TIMEOUT_MS = 120_000;

/** The same order and case rules on every machine: code points, and nothing of the system's C library. */
const LOCALE = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];

/** Makes the folder of a new PostgreSQL cluster, whole or not at all: it gets its name when it is complete. */
export async function makeCluster({
  initdb,
  cluster,
  user,
  password,
  account,
  durable,
}: ClusterOptions): Promise<void> {
  if (existsSync(cluster)) return;
  const draft = `${cluster}.new`;
  const passwordFile = `${cluster}.password`;
  // A run that was killed may have left one, and its initdb may still be ending.
  rmSync(draft, { recursive: true, force: true, maxRetries: 10 });
  mkdirSync(draft);
  chmodSync(draft, 0o700);
  writeSecret(passwordFile, password);
  if (account !== undefined) for (const path of [draft, passwordFile]) chownSync(path, account.uid, account.gid);
  const login = [`--username=${user}`, `--pwfile=${passwordFile}`, "--auth=scram-sha-256"];
  const sync = durable ? [] : ["--no-sync"];
  try {
    await promisify(execFile)(
      initdb,
      [`--pgdata=${draft}`, ...login, ...LOCALE, "--data-checksums", "--no-instructions", ...sync],
      { ...account, cwd: draft, env: { LC_ALL: "C" }, timeout: INITDB_TIMEOUT_MS },
    );
  } catch (cause) {
    const said = String(Reflect.get(Object(cause), "stderr") || cause).trim();
    throw new LaunchError(`PostgreSQL could not make its files in ${cluster}: ${said}`, { cause });
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(draft, cluster);
}
