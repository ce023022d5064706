import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { goTo, todayOf } from "../support/business-days.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks, NOBODY, rawClient, refusalOf } from "../support/service-calls.ts";

let service: TestService;
let fintech: TestEntity;
let other: TestEntity;
let ana: { readonly id: string };
let shop: { readonly id: string };

beforeAll(async () => {
  service = await aService();
  goTo(service, "2029-09-03");
  [fintech, other] = [await service.anEntity(), await service.anEntity("Other")];
  [ana, shop] = [await aUser(fintech, { name: "Ana Torres" }), await aUser(fintech, { name: "Café Central" })];
});
afterAll(() => service.stop());

interface Asked {
  readonly user?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit?: string;
  readonly cursor?: string | undefined;
}

async function ask({ user = ana.id, from = "2029-09-01", to = "2029-09-30", ...page }: Asked = {}) {
  const query = { "user-id": user, "from-day": from, "to-day": to, ...page };
  return fintech.client.accountStatement({ query });
}

async function pay(amount: number, more: object = {}) {
  const body = { amount, from_user_id: ana.id, to_user_id: shop.id, ...more };
  return (await fintech.client.createTransaction({ body })).body;
}

async function assign(amount: string, loanType = "deposit"): Promise<string> {
  const body = { id: ana.id, amount, loan_type: loanType, payment_date: todayOf(service) };
  return (await fintech.client.addQuota({ body })).body.response;
}

/** Closes the months before this one, as the service does by itself. */
async function closeMonth(month: string): Promise<void> {
  await fintech.client.closeMonth({ body: { month } });
}

describe("account-statement", () => {
  it("has every movement of the quota with its reason, in order, between the balances at both ends", async () => {
    const deposit = await assign("1000");
    const credit = await assign("500000", "default");
    const paid = await pay(100, { details: { note: "lunch" } });
    const hold = await pay(60, { status: "pending" });
    const settle = { id: hold.id, status: "approved", amount: 50.25 } as const;
    await fintech.client.settleTransaction({ body: settle });
    const { body: refund } = await fintech.client.reverseTransaction({ body: { id: paid.id, amount: 30 } });
    const transfer = { from_user_id: ana.id, to_user_id: shop.id, amount: 7 };
    const [moved] = (await fintech.client.createLedgerTransaction({ body: transfer })).body;
    const back = { from_user_id: shop.id, to_user_id: ana.id, amount: 2 };
    await fintech.client.createLedgerTransaction({ body: back });
    const repayment = { id: ana.id, amount: "400000", source: "quota" } as const;
    await fintech.client.repayCredit({ body: repayment });
    await fintech.client.repayCredit({ body: { ...repayment, amount: "1", source: "cash" } });
    await fintech.client.dischargeQuota({ body: { id: ana.id, amount: "100500" } });
    const { body, nextCursor } = await ask();
    expect(nextCursor).toBeUndefined();
    const { entries, ...frame } = body;
    expect(frame).toEqual({
      ...{ user_id: ana.id, currency: "COP", from_day: "2029-09-01", to_day: "2029-09-30", final: false },
      ...{ opening_balance: 0, closing_balance: 374.75 },
    });
    const told = entries.map((each) => [each.transaction_kind ?? each.kind, each.amount, each.balance_after]);
    expect(told).toEqual([
      ["deposit", 1_000, 1_000],
      ["credit", 500_000, 501_000],
      ["payment", -100, 500_900],
      ["payment", -50.25, 500_849.75],
      ["refund", 30, 500_879.75],
      ["transfer", -7, 500_872.75],
      ["transfer", 2, 500_874.75],
      ["repayment", -400_000, 100_874.75],
      ["discharge", -100_500, 374.75],
    ]);
    expect(entries.map(({ day }) => day)).toEqual(entries.map(() => "2029-09-03"));
    expect(entries.slice(0, 2).map(({ reference }) => reference)).toEqual([deposit, credit]);
    const party = { counterparty_id: shop.id, counterparty: "Café Central" };
    expect(entries[2]).toMatchObject({ transaction_id: paid.id, details: { note: "lunch" }, ...party });
    expect(entries[4]).toMatchObject({ transaction_id: refund.id, reverses: paid.id, ...party });
    expect(entries[5]).toMatchObject({ transaction_id: moved?.id, counterparty_id: shop.id });
    expect(entries[5]).not.toHaveProperty("counterparty");
    // One unit less was owed after the repayment in cash, which moved nothing of the quota.
    expect(entries.map(({ paid_out }) => paid_out)).toEqual([...Array(8).fill(undefined), "501"]);
    await expectSoundBooks(service);
  });

  it("goes on where a page ends, at the moment of the first, whatever is booked meanwhile", async () => {
    const whole = (await ask()).body;
    const first = await ask({ limit: "4" });
    await pay(1);
    const second = await ask({ limit: "4", cursor: first.nextCursor });
    const third = await ask({ limit: "4", cursor: second.nextCursor });
    const pages = [first, second, third];
    expect(pages.flatMap(({ body }) => body.entries)).toEqual(whole.entries);
    for (const { body } of pages) expect({ ...body, entries: whole.entries }).toEqual(whole);
    expect(third.nextCursor).toBeUndefined();
    expect((await ask()).body.closing_balance).toBe(373.75);
  });

  it("counts a hold on the day on which it is settled, and opens each month as the one before closed", async () => {
    goTo(service, "2029-09-30");
    const before = (await ask()).body;
    const hold = await pay(200, { status: "pending" });
    expect((await ask()).body).toEqual(before);
    goTo(service, "2029-10-03");
    await fintech.client.settleTransaction({ body: { id: hold.id, status: "approved" } });
    expect((await ask()).body).toEqual(before);
    const october = (await ask({ from: "2029-10-01", to: "2029-10-31" })).body;
    expect(october).toMatchObject({ opening_balance: before.closing_balance, closing_balance: 173.75, final: false });
    expect(october.entries.map(({ day, amount }) => [day, amount])).toEqual([["2029-10-03", -200]]);
    const both = (await ask({ to: "2029-10-31" })).body;
    expect(both.entries).toEqual([...before.entries, ...october.entries]);
  });

  it("is final once its month is closed, and stays the same whatever happens later", async () => {
    const open = (await ask()).body;
    expect(open.final).toBe(false);
    await closeMonth("2029-09");
    const closed = (await ask()).body;
    expect(closed).toEqual({ ...open, final: true });
    goTo(service, "2029-11-20");
    const paid = closed.entries.find(({ amount }) => amount === -100);
    await fintech.client.reverseTransaction({ body: { id: paid?.transaction_id ?? "" } });
    await assign("3");
    await fintech.client.updateUser({ body: { id: shop.id, bussines_name: "Another name" } });
    expect((await ask()).body).toEqual(closed);
    expect((await ask({ from: "2029-11-01", to: "2029-11-30" })).body.final).toBe(false);
  });

  it("is not final in a month that a wrong clock closed before it was over", async () => {
    const closeThrough = (day: string) =>
      service.sql`update service.entities set closed_through = ${day} where id = ${fintech.entityId}`;
    await closeThrough("2029-11-30");
    expect((await ask({ from: "2029-11-01", to: "2029-11-30" })).body.final).toBe(false);
    await closeThrough("2029-09-30");
  });

  it("is final, and empty, on days before the user was registered", async () => {
    const luz = await aUser(fintech, { name: "Luz" });
    const { body } = await ask({ user: luz.id, from: "2020-02-01", to: "2020-02-29" });
    expect(body).toMatchObject({ final: true, opening_balance: 0, closing_balance: 0, entries: [] });
    const today = todayOf(service);
    expect((await ask({ user: luz.id, from: today, to: today })).body.final).toBe(false);
  });

  it("refuses, in order: what is wrong in the query, a foreign cursor, nobody, another entity's user", async () => {
    const [raw, theirs] = [await rawClient(service, fintech), await aUser(other)];
    const good = { "user-id": ana.id, "from-day": "2029-09-01", "to-day": "2029-09-30" };
    const cursor = Buffer.from("1/999999/0", "latin1").toString("base64url");
    const wrong: [string, Record<string, string>][] = [
      ["invalid_request from-day to-day user-id", { "user-id": "1", "from-day": "2029-02-30", "to-day": "2029" }],
      ["invalid_request from-day", { ...good, "from-day": "2029-10-01" }],
      ["invalid_cursor", { ...good, cursor: "nonsense" }],
      ["invalid_cursor", { ...good, cursor }],
      ["user_not_found", { ...good, "user-id": NOBODY }],
      ["user_not_yours", { ...good, "user-id": theirs.id }],
    ];
    for (const [code, query] of wrong) {
      expect((await refusalOf(await raw("accountStatement", { query }))).join(" ")).toBe(code);
    }
    expect((await raw("accountStatement", { query: { ...good, "user-id": ana.id.toUpperCase() } })).status).toBe(200);
  });
});
