import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MainProcess } from "../e2e/support/child-process.ts";
import { freePort } from "../e2e/support/product.ts";
import { aDatabase, type TestDatabase } from "../support/database.ts";
import { runCommand } from "../support/run-command.ts";

let database: TestDatabase;
let environment: Record<string, string>;
let service: MainProcess;

/** A service whose configuration is Colombia's, the first process on its database. */
beforeAll(async () => {
  database = await aDatabase();
  environment = {
    ...{ DATABASE_URL: database.url, CUPO_KEY: randomBytes(32).toString("base64") },
    CUPO_SERVICE_PORT: String(await freePort()),
    CUPO_DATA_DIR: join(tmpdir(), `cupo-none-${randomBytes(8).toString("hex")}`),
  };
  service = new MainProcess({ role: "service", environment });
  await service.ready();
});
afterAll(async () => {
  service?.signal("SIGTERM");
  await service?.ended();
  await database?.drop();
});

/** The error of a process that does not start. */
async function refusalOf(role: string, changed: Record<string, string>): Promise<string> {
  const port = { CUPO_PORT: String(await freePort()), CUPO_SERVICE_PORT: String(await freePort()) };
  const started = new MainProcess({ role, environment: { ...environment, ...port, ...changed } });
  expect(await started.ended()).toEqual({ code: 1, signal: null });
  return started.err;
}

describe("a process that is configured otherwise than its data", () => {
  it.each(["service", "all"])("does not start: %s", async (role) => {
    const said = await refusalOf(role, { CUPO_CURRENCY: "JPY", CUPO_TIME_ZONE: "Asia/Tokyo" });
    expect(said).toContain("CUPO_CURRENCY is JPY with 0 decimals, but the database has its amounts in COP with 2");
    expect(said).toContain("CUPO_TIME_ZONE is Asia/Tokyo, but the database counts its days in America/Bogota");
    expect(said).not.toMatch(/^\s+at /m);
  });

  it("carries out no command either", async () => {
    const { code, out, err } = await runCommand(["accrue"], { ...environment, CUPO_CURRENCY: "JPY" });
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("set CUPO_CURRENCY=COP");
    expect((await runCommand(["accrue"], environment)).code).toBe(0);
  });

  it("does not start as a broker apart before a service of another currency", async () => {
    const upstream = `http://localhost:${environment.CUPO_SERVICE_PORT}`;
    const own = await aDatabase();
    const known = { CUPO_BASE_URL: upstream, CUPO_AUTH_URL: upstream, CUPO_CLIENT_ID: "a", CUPO_CLIENT_SECRET: "b" };
    const said = await refusalOf("broker", { ...known, DATABASE_URL: own.url, CUPO_CURRENCY: "USD" });
    await own.drop();
    expect(said).toContain("CUPO_CURRENCY is USD with 2 decimals, but the service has its amounts in COP");
    expect(said).toContain("set CUPO_CURRENCY=COP, or name another service.");
  });
});
