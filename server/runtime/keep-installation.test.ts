import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { aDatabase, type TestDatabase } from "../../test/support/database.ts";
import { readCurrency } from "../config/config-readings.ts";
import { connect, type Sql } from "../database/connect.ts";
import { keepInstallation } from "./keep-installation.ts";

const COLOMBIA = { currency: readCurrency("COP"), timeZone: "America/Bogota" };

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await aDatabase("broker");
  sql = connect(database.url, { max: 8, applicationName: "installation test" });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});
beforeEach(async () => {
  for (const part of ["service", "broker"]) {
    const table = sql(`${part}.installation`);
    await sql`alter table ${table} disable trigger user`;
    await sql`delete from ${table}`;
    await sql`alter table ${table} enable trigger user`;
  }
});

async function faultsWith(part: "service" | "broker", changed: Partial<typeof COLOMBIA>): Promise<string> {
  const refusal: unknown = await keepInstallation(sql, part, { ...COLOMBIA, ...changed }).catch((error) => error);
  return refusal instanceof Error ? refusal.message : "accepted";
}

describe.each(["service", "broker"] as const)("the installation that is kept with the %s's data", (part) => {
  it("is that of the first start, and is accepted at every later one", async () => {
    await keepInstallation(sql, part, COLOMBIA);
    await keepInstallation(sql, part, COLOMBIA);
    const kept = await sql`select currency, digits, time_zone from ${sql(`${part}.installation`)}`;
    expect(kept).toEqual([{ currency: "COP", digits: 2, time_zone: "America/Bogota" }]);
  });

  it("refuses another currency, other decimals and another time zone, naming both and the variable", async () => {
    await keepInstallation(sql, part, COLOMBIA);
    expect(await faultsWith(part, { currency: readCurrency("JPY"), timeZone: "Asia/Tokyo" })).toBe(
      "The configuration has 2 faults:\n" +
        "- CUPO_CURRENCY is JPY with 0 decimals, but the database has its amounts in COP with 2 decimals: " +
        "set CUPO_CURRENCY=COP, or name another database.\n" +
        "- CUPO_TIME_ZONE is Asia/Tokyo, but the database counts its days in America/Bogota: " +
        "set CUPO_TIME_ZONE=America/Bogota, or name another database.",
    );
    expect(await faultsWith(part, { currency: { ...COLOMBIA.currency, digits: 0 } })).toContain("COP with 0 decimals");
    expect(await faultsWith(part, {})).toBe("accepted");
  });

  it("takes two names of one time zone for the same", async () => {
    await keepInstallation(sql, part, { ...COLOMBIA, timeZone: "America/New_York" });
    expect(await faultsWith(part, { timeZone: "US/Eastern" })).toBe("accepted");
  });

  it("is the first one's when several start at once, and the others are told", async () => {
    const currencies = ["COP", "JPY", "USD", "CLP", "EUR", "COP", "JPY", "MXN"].map(readCurrency);
    const starts = currencies.map((currency) => keepInstallation(sql, part, { ...COLOMBIA, currency }));
    const outcomes = await Promise.allSettled(starts);
    const [{ currency: kept } = { currency: "" }] = await sql<{ currency: string }[]>`
      select currency from ${sql(`${part}.installation`)}`;
    const accepted = currencies.filter((_, index) => outcomes[index]?.status === "fulfilled");
    expect(accepted.map(({ code }) => code)).toEqual(
      currencies.map(({ code }) => code).filter((code) => code === kept),
    );
  });

  it("is never changed", async () => {
    await keepInstallation(sql, part, COLOMBIA);
    await expect(sql`update ${sql(`${part}.installation`)} set currency = 'JPY'`).rejects.toThrow(
      /append-only|never changed/,
    );
    await expect(sql`delete from ${sql(`${part}.installation`)}`).rejects.toThrow(/append-only|never changed/);
  });
});
