import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aLoanType, businessDay, passDays } from "../support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";

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
async function imported(id: string, daysAgo: number) {
  const day = businessDay(service, -daysAgo);
  const terms = { loan_type: "dear", opened_on: day, accrued_through: day, due_date: day };
  return (await lender.client.importCredit({ body: { id, principal: LARGEST, unpaid_interest: LARGEST, ...terms } }))
    .body;
}

describe("interest past the largest amount", () => {
  it("is told as the nearest number by whatever tells of the credit, and fails nothing", async () => {
    const { id } = await aUser(lender);
    await lender.client.putWebhook({ params: { name: "all" }, body: { url: "https://shop.example/events" } });
    const credit = await imported(id, 400);
    expect(credit.unpaid_interest).toBeGreaterThan(Number(LARGEST) * 10);
    passDays(service, 1);
    const { body: listed } = await lender.client.credits({ query: { "user-id": id } });
    expect(listed[0]?.unpaid_interest).toBeGreaterThan(credit.unpaid_interest);
    await lender.client.repayCredit({ body: { id, amount: LARGEST, source: "cash" } });
    const { body: entries } = await lender.client.entries({ query: { account: "interest_receivable" } });
    expect(Math.max(...entries.map(({ amount }) => amount))).toBeGreaterThanOrEqual(Number(LARGEST));
    const { body: given } = await lender.client.writeOffCredit({ body: { credit_id: credit.id } });
    expect([given.state, given.written_off_interest > Number(LARGEST)]).toEqual(["written_off", true]);
  });
});
