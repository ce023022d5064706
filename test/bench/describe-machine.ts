import { execFileSync } from "node:child_process";
import { availableParallelism, cpus, loadavg } from "node:os";
import type { Sql } from "../../server/database/connect.ts";

/** The machine and the database settings that the figures depend on. */
export interface Machine {
  /** The commit of the sources, with a plus where files differ from it; empty outside of a repository. */
  readonly commit: string;
  readonly processors: string;
  readonly processorCount: number;
  readonly node: string;
  /** Processes that ran or waited to run, averaged over the minute before: others' work spoils the figures. */
  readonly loadBefore: number;
  /** Read back from the server, so that they are the true ones. */
  readonly database: Readonly<Record<string, string>>;
}

const SETTINGS: readonly string[] = [
  "server_version",
  "fsync",
  "synchronous_commit",
  "full_page_writes",
  "wal_sync_method",
  "shared_buffers",
];

function commitOfSources(): string {
  const git = (...words: string[]) => execFileSync("git", words, { cwd: import.meta.dirname, encoding: "utf8" }).trim();
  try {
    return git("rev-parse", "--short", "HEAD") + (git("status", "--porcelain") === "" ? "" : "+");
  } catch {
    return "";
  }
}

/** Describes the machine and the server's settings; throws when a commit would not be durable. */
export async function describeMachine(sql: Sql): Promise<Machine> {
  const rows = await sql<{ name: string; setting: string }[]>`
    select name, current_setting(name) as setting from pg_settings
    where name = any(${SETTINGS as string[]}) order by array_position(${SETTINGS as string[]}, name)`;
  const database = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  if (database.fsync !== "on" || database.synchronous_commit !== "on") {
    throw new Error("PostgreSQL's commits are not durable: nothing worth measuring.");
  }
  return {
    commit: commitOfSources(),
    processorCount: availableParallelism(),
    processors: `${availableParallelism()} × ${cpus()[0]?.model ?? "unknown"}`,
    node: process.version,
    loadBefore: loadavg()[0] ?? 0,
    database,
  };
}
