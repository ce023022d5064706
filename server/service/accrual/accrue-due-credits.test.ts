import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aLedger, type TestLedger } from "../../../test/support/a-ledger.ts";
import { aCommand, aGrant, anOrigin } from "../../../test/support/ledger.ts";
import type { CreditTerms } from "../../ledger/model/credit-commands.ts";
import { accrueDueCredits } from "./accrue-due-credits.ts";

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.drop());

/** A tenth of a per cent a day. */
const TERMS: CreditTerms = {
  annualRateBps: 3650,
  dayBasis: 365,
  afterDue: "continue",
  arrearAfter: 0,
  defaultAfter: 90,
};

describe("an accrual after months off", () => {
  it("accrues every credit of an entity to the day, however far apart they were accrued through", async () => {
    const entity = await ledger.anEntity();
    let now = new Date();
    const writer = ledger.aWriter({ clock: () => now });
    for (const day of ["2026-01-01", "2026-01-31", "2026-02-01", "2026-02-15", "2026-03-30"]) {
      now = new Date(`${day}T12:00:00Z`);
      const user = await ledger.aUser(entity);
      const grant = aGrant(user.id, 100_000n, { terms: TERMS, loanType: "monthly" });
      await writer.post(aCommand(anOrigin(entity), grant));
    }
    now = new Date("2026-04-02T12:00:00Z");
    await accrueDueCredits({ sql: ledger.sql, ledger: writer, through: "2026-03-31", entityId: entity.id });
    const credits = await ledger.sql`
      select accrued_through::text, accrued from service.credits where entity_id = ${entity.id} order by opened_on`;
    expect(credits.map(({ accrued_through: through }) => through)).toEqual(Array(5).fill("2026-03-31"));
    expect(credits.map(({ accrued }) => accrued)).toEqual([8_900n, 5_900n, 5_800n, 4_400n, 100n]);
  });
});
