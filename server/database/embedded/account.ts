import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import { LaunchError } from "./launch-error.ts";

/** The operating system's user that runs PostgreSQL in our stead, because it refuses to run as root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

const NAME = "postgres";
const ROOT = 0;

/** Two ways to add a system user: that of most distributions, and that of Alpine. */
const ADD_USER = [
  ["useradd", "--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", NAME],
  ["adduser", "-S", "-D", "-H", "-s", "/sbin/nologin", NAME],
] as const;

/** Enters each folder in turn and says which one refused. */
const ENTER_EACH = 'for folder; do cd "$folder" 2>/dev/null || { printf %s "$folder"; exit 1; }; done';

/**
 * The account to run PostgreSQL with: none unless we are root; else whoever owns the cluster that is there already,
 * else the user `postgres`, who is made where missing.
 */
export function chooseAccount(cluster: string): Account | undefined {
  if (userInfo().uid !== ROOT) return undefined;
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== ROOT) return { uid: owner.uid, gid: owner.gid };
  return lookUp() ?? addUser();
}

/** Fails with what to do when the account cannot get to one of these folders. */
export function assertMayEnter({ uid, gid }: Account, folders: readonly string[]): void {
  const parents = [...new Set(folders.flatMap(withParents))];
  try {
    execFileSync("/bin/sh", ["-c", ENTER_EACH, "sh", ...parents], { uid, gid, cwd: "/", stdio: "pipe" });
  } catch (cause) {
    const refused = String(Reflect.get(Object(cause), "stdout") ?? "");
    throw new LaunchError(
      `PostgreSQL does not run as root, so it runs as user ${uid}, who cannot enter ${refused}. ` +
        `Allow it with: chmod o+x ${refused}  (or keep Cupo and its data elsewhere, or set DATABASE_URL).`,
      { cause },
    );
  }
}

function withParents(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [...withParents(parent), folder];
}

function lookUp(): Account | undefined {
  try {
    return { uid: idOf("-u"), gid: idOf("-g") };
  } catch {
    // `id` fails when there is no such user, which is what was asked.
    return undefined;
  }
}

function idOf(flag: "-u" | "-g"): number {
  return Number(execFileSync("id", [flag, NAME], { stdio: "pipe", encoding: "utf8" }));
}

function addUser(): Account {
  const failures: unknown[] = [];
  for (const [command, ...parameters] of ADD_USER) {
    try {
      execFileSync(command, parameters, { stdio: "pipe" });
    } catch (error) {
      failures.push(error);
    }
    const account = lookUp();
    if (account !== undefined) return account;
  }
  throw new LaunchError(
    `PostgreSQL does not run as root, and the user ${NAME} could not be made: make it, or start Cupo as another user.`,
    { cause: new AggregateError(failures) },
  );
}
