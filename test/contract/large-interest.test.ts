import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aLoanType, businessDay } from "../support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { rawClient } from "../support/service-calls.ts";

const LARGEST = "9999999999999.99";

let service: TestService;
let lender: TestEntity;

beforeAll(async () => {
  service = await aService();
  lender = await service.anEntity();
  await aLoanType(lender, "dear", { annual_rate_bps: 100_000 });
});
afterAll(() => service.stop());

/** A credit of the largest principal at the highest rate, as it was so many days ago. */
function imported(id: string, daysAgo: number) {
  const day = businessDay(service, -daysAgo);
  const terms = { loan_type: "dear", opened_on: day, accrued_through: day, due_date: day };
  return { id, principal: LARGEST, unpaid_interest: LARGEST, ...terms };
}

/** Every number of that name in the text of an answer, in minor units. */
function minorUnits(text: string, name: string): bigint[] {
  return [...text.matchAll(new RegExp(`"${name}":(\\d+)(?:\\.(\\d{1,2}))?(?=[,}])`, "g"))].map(
    ([, whole = "", fraction = ""]) => BigInt(whole + fraction.padEnd(2, "0")),
  );
}

describe("interest past the largest amount", () => {
  it("is told with every digit by whatever tells of the credit, and fails nothing", async () => {
    const raw = await rawClient(service, lender);
    const textOf = async (...call: Parameters<typeof raw>) => {
      const response = await raw(...call);
      expect([response.status, response.status < 300 || (await response.clone().text())]).toContain(true);
      return response.text();
    };
    const { id } = await aUser(lender);
    await lender.client.putWebhook({ params: { name: "all" }, body: { url: "https://shop.example/events" } });
    const headers = { "idempotency-key": "large-interest" };
    const first = await textOf("importCredit", { body: imported(id, 400), headers });
    expect(await textOf("importCredit", { body: imported(id, 400), headers })).toBe(first);
    const listed = await textOf("credits", { query: { "user-id": id } });
    const [unpaid = 0n] = minorUnits(listed, "unpaid_interest");
    // Largest amount times ten a year, a day at a time: and what it was imported with, to the last cent.
    const largest = 999_999_999_999_999n;
    const daily = minorUnits(listed, "accrued_interest")[0] ?? 0n;
    expect([unpaid > largest * 10n, unpaid - daily]).toEqual([true, largest]);
    expect(String(unpaid).length).toBeGreaterThan(16);
    await expect(lender.client.credits({ query: { "user-id": id } })).rejects.toThrow(
      /answered 200, with a sum that no/,
    );
    await textOf("repayCredit", { body: { id, amount: LARGEST, source: "cash" } });
    const [creditId = ""] = /(?<="id":")[^"]+/.exec(listed) ?? [];
    const given = await textOf("writeOffCredit", { body: { credit_id: creditId } });
    expect(minorUnits(given, "written_off_interest")).toEqual([unpaid - largest]);
    const entries = await textOf("entries", { query: { account: "interest_receivable" } });
    expect(minorUnits(entries, "amount")).toContain(unpaid - largest);
  });
});
