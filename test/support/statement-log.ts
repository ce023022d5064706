import { readFileSync } from "node:fs";
import type { Sql } from "../../server/database/connect.ts";

const ENTRY = /^(?=@\d+ )/m;
const STATEMENT = /^@\d+ LOG: +(?:statement|execute [^:]*): ([\s\S]*)/;

/** Lets the embedded PostgreSQL log each statement from now on. */
export async function logStatements(sql: Sql): Promise<void> {
  await sql`alter system set log_line_prefix = '@%p '`;
  await sql`alter system set log_statement = 'all'`;
  await sql`select pg_reload_conf()`;
}

/** The statements in a log of PostgreSQL since {@link logStatements}, each on one line. */
export function loggedStatements(logFile: string): readonly string[] {
  return readFileSync(logFile, "utf8")
    .split(ENTRY)
    .flatMap((entry) => STATEMENT.exec(entry)?.[1] ?? [])
    .map((text) => text.replace(/\s+/g, " ").trim());
}
