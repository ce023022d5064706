import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aDatabase, type TestDatabase } from "../../test/support/database.ts";
import { connect, type Sql } from "./connect.ts";
import { migrate } from "./migrate.ts";

const FIRST = "create table person (id int primary key);\ninsert into person values (1);\n";
const SECOND = "alter table person add column name text;\nupdate person set name = 'Ana';\n";

let database: TestDatabase;
let sql: Sql;
let root: string;
let folder: string;

beforeEach(async () => {
  database = await aDatabase();
  sql = connect(database.url, { max: 2, applicationName: "migrate test" });
  root = mkdtempSync(join(tmpdir(), "cupo-migrate-"));
  folder = join(root, "service");
  mkdirSync(folder);
  writeMigration("0001-create-person.sql", FIRST);
});

afterEach(async () => {
  await sql.end();
  await database.drop();
  rmSync(root, { recursive: true });
});

function writeMigration(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

describe("migrate", () => {
  it("applies each file once, in order, and goes on where it ended", async () => {
    expect(await migrate(sql, folder)).toEqual(["0001-create-person.sql"]);
    writeMigration("0002-name-person.sql", SECOND);
    expect(await migrate(sql, folder)).toEqual(["0002-name-person.sql"]);
    expect(await migrate(sql, folder)).toEqual([]);
    expect(await sql`select id, name from person`).toEqual([{ id: 1, name: "Ana" }]);
  });

  it("runs once when four processes start at once on an empty database", async () => {
    writeMigration("0002-name-person.sql", `select pg_sleep(0.2);\n${SECOND}`);
    const pools = [1, 2, 3, 4].map(() => connect(database.url, { max: 1, applicationName: "migrate test" }));
    const applied = await Promise.all(pools.map((pool) => migrate(pool, folder)));
    expect(applied.flat().sort()).toEqual(["0001-create-person.sql", "0002-name-person.sql"]);
    expect(await sql`select id, name from person`).toEqual([{ id: 1, name: "Ana" }]);
    await Promise.all(pools.map((pool) => pool.end()));
  });

  it("applies all or nothing, and says which file failed", async () => {
    writeMigration("0002-break-person.sql", "create table pet (id int);\nselect nonsense;\n");
    await expect(migrate(sql, folder)).rejects.toThrow(
      /^0002-break-person.sql failed, and nothing was applied.*nonsense/,
    );
    expect(await sql`select to_regclass('person') as person, to_regclass('pet') as pet`).toEqual([
      { person: null, pet: null },
    ]);
    writeMigration("0002-break-person.sql", SECOND);
    expect(await migrate(sql, folder)).toHaveLength(2);
  });

  it("refuses a file that was changed after it was applied, but not other line ends", async () => {
    await migrate(sql, folder);
    writeMigration("0001-create-person.sql", FIRST.replaceAll("\n", "\r\n"));
    expect(await migrate(sql, folder)).toEqual([]);
    writeMigration("0001-create-person.sql", `${FIRST}-- a late thought\n`);
    await expect(migrate(sql, folder)).rejects.toThrow("0001-create-person.sql was changed after it was applied");
  });

  it("refuses the database of a newer version", async () => {
    writeMigration("0002-name-person.sql", SECOND);
    await migrate(sql, folder);
    rmSync(join(folder, "0002-name-person.sql"));
    await expect(migrate(sql, folder)).rejects.toThrow(
      /0002-name-person.sql, unknown here: it belongs to a newer Cupo/,
    );
  });

  it("refuses a new file that comes before an applied one, and names that it cannot order", async () => {
    renameSync(join(folder, "0001-create-person.sql"), join(folder, "0002-create-person.sql"));
    await migrate(sql, folder);
    writeMigration("0001-create-pet.sql", "create table pet (id int);\n");
    await expect(migrate(sql, folder)).rejects.toThrow("0001-create-pet.sql comes before 0002-create-person.sql");
    writeMigration("0002-create-pet.sql", "create table pet (id int);\n");
    await expect(migrate(sql, folder)).rejects.toThrow("have the same number");
    rmSync(join(folder, "0002-create-pet.sql"));
    writeMigration("pets.sql", "");
    await expect(migrate(sql, folder)).rejects.toThrow("pets.sql must be named like 0001-create-users.sql");
  });

  it("keeps the folders of one database apart", async () => {
    await migrate(sql, folder);
    const broker = join(root, "broker");
    mkdirSync(broker);
    writeFileSync(join(broker, "0001-create-broker.sql"), "create schema broker;\n");
    expect(await migrate(sql, broker)).toEqual(["0001-create-broker.sql"]);
    expect(await migrate(sql, folder)).toEqual([]);
  });

  it("applies the files that are shipped", async () => {
    const shipped = fileURLToPath(new URL("./migrations/service", import.meta.url));
    expect(await migrate(sql, shipped)).not.toEqual([]);
    expect(await migrate(sql, shipped)).toEqual([]);
  });
});
