import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { classifyDatabaseError } from "../../server/database/classify-database-error.ts";
import { connect, PoolerError } from "../../server/database/connect.ts";
import { MainProcess } from "../e2e/support/child-process.ts";
import { freePort } from "../e2e/support/product.ts";
import { aPgBouncer, hasPgBouncer } from "../support/a-pgbouncer.ts";
import { aDatabase, type TestDatabase } from "../support/database.ts";
import { leaveRemark } from "../support/remarks.ts";

const isInstalled = hasPgBouncer();
if (!isInstalled) leaveRemark("pgbouncer", "The tests of a pooler were skipped: there is no pgbouncer in the PATH.");

const OURS = [
  ...["statement_timeout", "idle_in_transaction_session_timeout", "default_transaction_isolation"],
  ...["client_min_messages", "cupo.session"],
];

let database: TestDatabase;

beforeAll(async () => {
  database = await aDatabase();
});
afterAll(async () => {
  await database.drop();
});

describe.skipIf(!isInstalled)("a PgBouncer before the database", () => {
  it.each([
    ["transaction", "refuses", []],
    ["transaction", "ignores", OURS],
    ["statement", "ignores", OURS],
    ["session", "refuses", []],
    ["session", "ignores", OURS],
  ] as const)("in %s mode that %s the settings of a session is refused", async (mode, _, ignored) => {
    const bouncer = await aPgBouncer(database.url, { mode, ignored });
    const sql = connect(bouncer.url, { max: 2, applicationName: "cupo test" });
    try {
      const failure = await sql`select 1`.catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(PoolerError);
      expect(classifyDatabaseError(failure)).toEqual({ kind: "away" });
      await expect(sql.begin((tx) => tx`select 1`)).rejects.toThrow("name PostgreSQL itself");
    } finally {
      await sql.end({ timeout: 1 });
      await bouncer.stop();
    }
  });

  it("ends the start of the service with a sentence that says what to do", async () => {
    const bouncer = await aPgBouncer(database.url, { mode: "transaction", ignored: OURS });
    const [key, port] = [randomBytes(32).toString("base64"), String(await freePort())];
    const environment = { DATABASE_URL: bouncer.url, CUPO_KEY: key, CUPO_SERVICE_PORT: port };
    const main = new MainProcess({ environment, role: "service" });
    try {
      expect(await main.ended()).toEqual({ code: 1, signal: null });
      expect(main.err).toContain("name PostgreSQL itself");
      expect(main.err).not.toMatch(/^\s+at /m);
    } finally {
      await bouncer.stop();
    }
  });
});
