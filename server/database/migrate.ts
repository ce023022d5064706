import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { sqlState } from "./classify-database-error.ts";
import type { Sql, Tx } from "./connect.ts";

/** Says why a database and a folder of migrations do not go together, and what to do. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

interface Migration {
  readonly name: string;
  readonly text: string;
  readonly hash: string;
}

const FILE_NAME = /^\d{4}-[a-z0-9]+(?:-[a-z0-9]+)+\.sql$/;
const PART_NAME = /^[a-z][a-z0-9_]*$/;
/** unique_violation, duplicate_object, duplicate_table: "if not exists" fails with any when two make it at once. */
const MADE_BY_ANOTHER: readonly unknown[] = ["23505", "42710", "42P07"];
/** Long: another process may be migrating a large database. */
const LOCK_TIMEOUT = "10min";

/**
 * Applies the migrations `NNNN-verb-object.sql` of a folder that the database does not have yet, all or none, and
 * answers their names. Each folder is a part of its own, listed in the table `<folder name>_migration`. Several
 * processes may start at once: they take turns. Throws {@link MigrationError} when an applied file was changed, is
 * missing, or a new one comes before it.
 */
export async function migrate(sql: Sql, folder: string): Promise<readonly string[]> {
  const part = basename(folder);
  if (!PART_NAME.test(part)) throw new MigrationError(`The folder ${part} must be named in lower case letters.`);
  const migrations = readMigrations(folder);
  const table = `${part}_migration`;
  await makeTable(sql, table);
  return await sql.begin("isolation level read committed", async (tx) => {
    await tx`select set_config('statement_timeout', '0', true), set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`;
    await tx`lock table ${tx(table)} in exclusive mode`;
    const fresh = await findFresh(tx, table, migrations);
    for (const migration of fresh) await apply(tx, table, migration);
    return fresh.map(({ name }) => name);
  });
}

function readMigrations(folder: string): readonly Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort();
  for (const [index, name] of names.entries()) {
    if (!FILE_NAME.test(name)) throw new MigrationError(`${name} must be named like 0001-create-users.sql.`);
    if (names[index + 1]?.slice(0, 4) === name.slice(0, 4)) {
      throw new MigrationError(`${name} and ${names[index + 1]} have the same number.`);
    }
  }
  return names.map((name) => {
    // A checkout on Windows may have other line ends.
    const text = readFileSync(join(folder, name), "utf8").replaceAll("\r\n", "\n");
    return { name, text, hash: createHash("sha256").update(text).digest("hex") };
  });
}

/** Looks first, because a role that may only use the tables may not make one, even one that exists. */
async function makeTable(sql: Sql, table: string): Promise<void> {
  const [found] = await sql<{ oid: string | null }[]>`select to_regclass(${table})::text as oid`;
  if (found?.oid !== null) return;
  try {
    await sql`
      create table if not exists ${sql(table)} (
        name text primary key,
        hash text not null,
        applied_at timestamptz not null default now()
      )`;
  } catch (error) {
    if (!MADE_BY_ANOTHER.includes(sqlState(error))) throw error;
  }
}

async function findFresh(tx: Tx, table: string, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  const applied = await tx<{ name: string; hash: string }[]>`select name, hash from ${tx(table)} order by name`;
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, hash } of applied) {
    const migration = byName.get(name);
    if (migration === undefined) {
      throw new MigrationError(
        `The database has the migration ${name}, unknown here: it belongs to a newer Cupo, so start that one.`,
      );
    }
    if (migration.hash !== hash) {
      throw new MigrationError(
        `${name} was changed after it was applied: restore it, and add a new migration instead.`,
      );
    }
    byName.delete(name);
  }
  const last = applied.at(-1)?.name ?? "";
  const fresh = [...byName.values()];
  const early = fresh.find(({ name }) => name < last);
  if (early === undefined) return fresh;
  throw new MigrationError(`${early.name} comes before ${last}, which was applied already: give it a later number.`);
}

async function apply(tx: Tx, table: string, { name, text, hash }: Migration): Promise<void> {
  try {
    await tx.unsafe(text).simple();
  } catch (cause) {
    if (sqlState(cause) === undefined) throw cause;
    throw new MigrationError(`${name} failed, and nothing was applied: ${String(cause)}`, { cause });
  }
  await tx`insert into ${tx(table)} (name, hash) values (${name}, ${hash})`;
}
