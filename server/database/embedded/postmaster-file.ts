import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { pid as ownPid } from "node:process";

/** The facts that a running PostgreSQL writes into its cluster's folder. */
export interface PostmasterFile {
  readonly pid: number;
  /** Where it listens. */
  readonly port: number;
  readonly ready: boolean;
}

/** The owner, now, of a process number that was found in a postmaster file. */
export type PidOwner = "gone" | "this cluster" | "another PostgreSQL" | "something else";

const PID_LINE = 0;
const PORT_LINE = 3;
const STATUS_LINE = 7;

/** Reads `postmaster.pid`; undefined when no PostgreSQL left one, or it is not written yet. */
export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  const lines = linesOf(cluster);
  const pid = Number(lines[PID_LINE]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[PORT_LINE]), ready: lines[STATUS_LINE]?.trim() === "ready" };
}

/** Tells whether a process is the PostgreSQL of this cluster: after a kill -9 its number may belong to anyone. */
export function ownerOfPid(pid: number, cluster: string): PidOwner {
  const command = commandOf(pid);
  if (command === "") return "gone";
  if (!command.includes("postgres")) return "something else";
  return command.includes(cluster) ? "this cluster" : "another PostgreSQL";
}

/**
 * Makes a stale file harmless: its number may belong to something else by now, or to remains that nobody waits for,
 * and PostgreSQL would refuse to start. It takes its parent's number for stale and still checks the rest of the file
 * (shared memory in use), which removing the file would skip.
 */
export function disownPostmasterFile(cluster: string): void {
  const [, ...rest] = linesOf(cluster);
  writeFileSync(join(cluster, "postmaster.pid"), [ownPid, ...rest].join("\n"));
}

function linesOf(cluster: string): readonly string[] {
  try {
    return readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, "code") === "ENOENT") return [];
    throw error;
  }
}

/** The command line of a process, empty when there is none, or only the remains of one that nobody has waited for. */
function commandOf(pid: number): string {
  try {
    if (platform() === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    // Both fail for a process that is gone; PostgreSQL itself refuses a cluster that is in use all the same.
    return "";
  }
}
