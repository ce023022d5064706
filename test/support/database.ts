import { randomBytes } from "node:crypto";
import { connect } from "../../server/database/connect.ts";
import { type DatabaseTemplate, TEMPLATES } from "./database-templates.ts";
import { runPart } from "./run-parts.ts";

/** A database of the run's PostgreSQL, for one test file. */
export interface TestDatabase {
  readonly url: string;
  /** Removes it, whoever is still connected. */
  drop(): Promise<void>;
}

/**
 * Makes a database, empty unless a template is named: `const database = await aDatabase()` in `beforeAll`,
 * `database.drop()` in `afterAll`.
 */
export async function aDatabase(template: DatabaseTemplate = "empty"): Promise<TestDatabase> {
  const admin = await runPart("database");
  if (admin === undefined) throw new Error("This test needs a database, and its project has none.");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await run(admin, `create database ${name} template ${TEMPLATES[template]}`);
  return {
    url: admin.replace(/[^/]+$/, name),
    drop: () => run(admin, `drop database if exists ${name} with (force)`),
  };
}

async function run(url: string, statement: string): Promise<void> {
  const sql = connect(url, { max: 1, applicationName: "cupo test" });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}
