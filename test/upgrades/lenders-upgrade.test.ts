import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { connect, type Sql } from "../../server/database/connect.ts";
import { migrate } from "../../server/database/migrate.ts";
import { aDatabase, type TestDatabase } from "../support/database.ts";

const SHIPPED = join(import.meta.dirname, "../../server/database/migrations/service");

let database: TestDatabase;
let sql: Sql;
let root: string;

beforeEach(async () => {
  database = await aDatabase();
  sql = connect(database.url, { max: 2, applicationName: "upgrade test" });
  root = mkdtempSync(join(tmpdir(), "cupo-lenders-"));
});
afterEach(async () => {
  await sql.end();
  await database.drop();
  rmSync(root, { recursive: true });
});

async function lendersByName(): Promise<Record<string, string[] | null>> {
  const rows = await sql<{ name: string; lenders: string[] | null }[]>`select name, lenders from service.entities`;
  return Object.fromEntries(rows.map(({ name, lenders }) => [name, lenders]));
}

it("entities that are there keep whom they let lend, all or none, and a new one begins with none", async () => {
  const before = join(root, "service");
  mkdirSync(before);
  const earlier = readdirSync(SHIPPED).filter((name) => name < "0008");
  for (const name of earlier) copyFileSync(join(SHIPPED, name), join(before, name));
  await migrate(sql, before);
  await sql`insert into service.entities (id, name, created_at, foreign_lenders) values
    (gen_random_uuid(), 'Open', now(), 'principal'), (gen_random_uuid(), 'Trusting', now(), 'owed'),
    (gen_random_uuid(), 'Closed', now(), 'none')`;
  await migrate(sql, SHIPPED);
  await sql`insert into service.entities (id, name, created_at) values (gen_random_uuid(), 'New', now())`;
  expect(await lendersByName()).toEqual({ Open: null, Trusting: null, Closed: [], New: [] });
});
