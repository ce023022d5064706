import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aLoanType, businessDay, creditById, lend, linesOf, openToLenders, passDays } from "../support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks, NOBODY, problemOf, rawClient, refusalMovingNothing } from "../support/service-calls.ts";

let service: TestService;
let fintech: TestEntity;
let other: TestEntity;

beforeAll(async () => {
  service = await aService();
  [fintech, other] = [await service.anEntity(), await service.anEntity("Other")];
  await openToLenders([fintech, other]);
  await Promise.all([aLoanType(fintech), aLoanType(other)]);
});
afterAll(() => service.stop());

const inDays = (days: number): string => businessDay(service, days);

type Repayment = Parameters<TestEntity["client"]["repayCredit"]>[0]["body"];

async function repay(entity: TestEntity, body: Repayment) {
  return (await entity.client.repayCredit({ body })).body;
}

const refusedRepayment = (entity: TestEntity, body: object) =>
  refusalMovingNothing(service, entity, "repayCredit", body);

async function quotaOf(id: string): Promise<number | null> {
  return (await fintech.client.user({ query: { id } })).body.quota;
}

describe("repay-credit", () => {
  it("takes cash for all of a user's credits in their order, and leaves its quota alone", async () => {
    const ana = await aUser(fintech, { name: "Ana" });
    const late = await lend(fintech, ana.id, "2000", { payment_date: inDays(20) });
    const soon = await lend(fintech, ana.id, "1000", { payment_date: inDays(10) });
    passDays(service, 5);
    const { response, credits, ...answer } = await repay(fintech, { id: ana.id, amount: "1065", source: "cash" });
    expect(answer).toEqual({
      message: "1065 COP repaid in cash for Ana.",
      repaid_interest: "15",
      repaid_principal: "1050",
      recovered: "0",
    });
    expect(
      credits.map(({ id, state, outstanding, unpaid_interest }) => [id, state, outstanding, unpaid_interest]),
    ).toEqual([
      [soon.id, "closed", 0, 0],
      [late.id, "open", 1_950, 0],
    ]);
    expect(await creditById(fintech, late.id)).toEqual(credits[1]);
    expect(await linesOf(service, response)).toEqual([
      ["cash_clearing", fintech.entityId, -106_500n],
      ["credits_receivable", fintech.entityId, 105_000n],
      ["interest_receivable", fintech.entityId, 1_500n],
    ]);
    expect(await quotaOf(ana.id)).toBe(3_000);
    await expectSoundBooks(service);
  });

  it("repays one credit alone when it is named, in any spelling of its id", async () => {
    const ana = await aUser(fintech);
    const soon = await lend(fintech, ana.id, "1000", { payment_date: inDays(10) });
    const late = await lend(fintech, ana.id, "500", { payment_date: inDays(20) });
    passDays(service, 4);
    const body = { nit: ana.nit, credit_id: late.id.toUpperCase(), amount: "101.50", source: "quota" } as const;
    const { credits, message, ...answer } = await repay(fintech, body);
    expect(message).toBe("101.5 COP repaid from the quota of Ana.");
    expect(answer).toMatchObject({ repaid_interest: "2", repaid_principal: "99.5" });
    expect(credits).toMatchObject([{ id: late.id, outstanding: 400.5 }]);
    expect(await creditById(fintech, soon.id)).toMatchObject({ outstanding: 1_000, unpaid_interest: 4 });
    expect(await quotaOf(ana.id)).toBe(1_398.5);
  });

  it("costs A(today) for a full repayment, which closes the credit; the day of opening costs nothing", async () => {
    const ana = await aUser(fintech, { quota: 10 });
    const { id: credit_id } = await lend(fintech, ana.id, "123.45", { payment_date: inDays(90) });
    const body = { id: ana.id, credit_id, source: "cash" } as const;
    expect(await refusedRepayment(fintech, { ...body, amount: "123.46" })).toEqual(["more_than_owed"]);
    passDays(service, 10);
    expect(await refusedRepayment(fintech, { ...body, amount: "124.69" })).toEqual(["more_than_owed"]);
    // Ten days of 0.12345: 1.2345, to the cent 1.23.
    const { credits } = await repay(fintech, { ...body, amount: "124.68" });
    expect(credits).toMatchObject([
      { state: "closed", closed_on: inDays(0), accrued_interest: 1.23, paid_interest: 1.23, paid_principal: 123.45 },
    ]);
    expect(credits[0]).toMatchObject({ days_past_due: null, bucket: null, suggested_status: null });
    passDays(service, 30);
    expect(await creditById(fintech, credit_id)).toMatchObject({ accrued_interest: 1.23, unpaid_interest: 0 });
  });

  it("recovers what was written off once nothing open is left", async () => {
    const ana = await aUser(fintech);
    const { id } = await lend(fintech, ana.id, "100", { payment_date: inDays(1) });
    await fintech.client.writeOffCredit({ body: { credit_id: id } });
    const open = await lend(fintech, ana.id, "50", { payment_date: inDays(1) });
    const { response, ...answer } = await repay(fintech, { id: ana.id, amount: "70", source: "cash" });
    expect(answer).toMatchObject({ repaid_interest: "0", repaid_principal: "50", recovered: "20" });
    expect(answer.credits.map(({ id: each, state, recovered }) => [each, state, recovered])).toEqual([
      [open.id, "closed", 0],
      [id, "written_off", 20],
    ]);
    expect(await linesOf(service, response)).toEqual([
      ["cash_clearing", fintech.entityId, -7_000n],
      ["credits_receivable", fintech.entityId, 5_000n],
      ["recoveries", fintech.entityId, 2_000n],
    ]);
    const more = { id: ana.id, credit_id: id, source: "cash" } as const;
    expect(await refusedRepayment(fintech, { ...more, amount: "80.01" })).toEqual(["more_than_owed"]);
    expect(await repay(fintech, { ...more, amount: "80" })).toMatchObject({ recovered: "80", repaid_principal: "0" });
    await expectSoundBooks(service);
  });

  it("takes the quota of another entity's user up to the debt, and the creator owes it then", async () => {
    const ana = await aUser(fintech, { quota: 50 });
    const { id } = await lend(other, ana.id, "100", { payment_date: inDays(10) });
    const body = { id: ana.id, source: "quota" } as const;
    expect(await refusedRepayment(other, { ...body, amount: "100.01" })).toEqual(["user_not_yours"]);
    const { response } = await repay(other, { ...body, amount: "100" });
    expect(await linesOf(service, response)).toEqual([
      ["credits_receivable", other.entityId, 10_000n],
      ["due_from", other.entityId, -10_000n],
      ["due_to", fintech.entityId, 10_000n],
      ["user_quota", fintech.entityId, -10_000n],
    ]);
    expect(await creditById(other, id)).toMatchObject({ state: "closed" });
    await expectSoundBooks(service);
  });

  it("lets a blocked user repay", async () => {
    const ana = await aUser(fintech, { quota: 5 });
    await fintech.client.blockUser({ body: { id: ana.id } });
    expect(await repay(fintech, { id: ana.id, amount: "5", source: "quota" })).toMatchObject({ repaid_principal: "5" });
  });

  it("is carried out once for one idempotency key", async () => {
    const ana = await aUser(fintech, { quota: 9 });
    const body = { id: ana.id, amount: "4", source: "cash" } as const;
    const first = await fintech.client.repayCredit({ body }, { idempotencyKey: "repay" });
    const again = await fintech.client.repayCredit({ body }, { idempotencyKey: "repay" });
    expect([again.replayed, again.body]).toEqual([true, first.body]);
    expect(first.body.credits).toMatchObject([{ outstanding: 5 }]);
  });

  it("never takes more than is owed, however many pay at once", async () => {
    const ana = await aUser(fintech, { quota: 50 });
    const body = { id: ana.id, amount: "10", source: "cash" } as const;
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => repay(fintech, body)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect(await refusedRepayment(fintech, body)).toEqual(["more_than_owed"]);
  });
});

describe("repay-credit refuses, in order", () => {
  const proper = { id: NOBODY, amount: "10", source: "cash" };
  const cases: readonly (readonly [string, object, ...string[]])[] = [
    ["neither id nor nit", { id: undefined }, "invalid_request", ""],
    ["a credit id alone", { id: undefined, credit_id: NOBODY }, "invalid_request", ""],
    ["no source", { source: undefined }, "invalid_request", "/source"],
    ["another source", { source: "card" }, "invalid_request", "/source"],
    [
      "an amount that is a number, and a wrong id",
      { amount: 10, credit_id: "7" },
      "invalid_request",
      "/amount",
      "/credit_id",
    ],
    ["zero", { amount: "0.00" }, "invalid_request", "/amount"],
    ["an unknown field", { loan_type: "micro" }, "invalid_request", "/loan_type"],
    ["an id that nobody has", { credit_id: NOBODY }, "user_not_found"],
  ];
  it.each(cases.map(([law, change, ...refusal]) => ({ law, change, refusal })))("$law", async ({ change, refusal }) => {
    expect(await refusedRepayment(fintech, { ...proper, ...change })).toEqual(refusal);
  });

  it("a credit that is nobody's, another user's or another entity's", async () => {
    const [ana, eva] = [await aUser(fintech, { quota: 20 }), await aUser(fintech)];
    const evas = await lend(fintech, eva.id, "20", { payment_date: inDays(1) });
    const others = await lend(other, ana.id, "20", { payment_date: inDays(1) });
    for (const credit_id of [NOBODY, evas.id, others.id]) {
      const body = { ...proper, id: ana.id, credit_id };
      expect(await refusedRepayment(fintech, body)).toEqual(["credit_not_found"]);
    }
  });

  it("more than is owed before a quota that does not cover it; nothing is owed for a closed credit", async () => {
    const [ana, shop] = [await aUser(fintech, { quota: 20 }), await aUser(fintech)];
    const payment = { amount: 15, from_user_id: ana.id, to_user_id: shop.id };
    await fintech.client.createTransaction({ body: payment });
    const body = { id: ana.id, source: "quota" };
    expect(await refusedRepayment(fintech, { ...body, amount: "21" })).toEqual(["more_than_owed"]);
    expect(await refusedRepayment(fintech, { ...body, amount: "6" })).toEqual(["insufficient_balance"]);
    const { credits } = await repay(fintech, { id: ana.id, amount: "20", source: "cash" });
    const closed = { ...body, credit_id: credits[0]?.id, amount: "0.01" };
    expect(await refusedRepayment(fintech, closed)).toEqual(["more_than_owed"]);
  });

  it("more than is owed, and says which figures of credits are what is left", async () => {
    const ana = await aUser(fintech, { quota: 10 });
    const { id: credit_id } = await lend(fintech, ana.id, "1000", { payment_date: inDays(90) });
    passDays(service, 10);
    const body = { id: ana.id, credit_id, source: "cash" } as const;
    const raw = await rawClient(service, fintech);
    const { detail } = await problemOf(await raw("repayCredit", { body: { ...body, amount: "9999" } }));
    expect(detail).toContain("GET /credits shows what is left of a credit: outstanding and unpaid_interest");
    const { outstanding, unpaid_interest } = await creditById(fintech, credit_id);
    const amount = (left: number): string => (outstanding + unpaid_interest + left).toFixed(2);
    expect(await refusedRepayment(fintech, { ...body, amount: amount(0.01) })).toEqual(["more_than_owed"]);
    expect((await repay(fintech, { ...body, amount: amount(0) })).credits).toMatchObject([{ state: "closed" }]);
  });

  it("an entity that the user owes nothing, from the quota or in cash", async () => {
    const ana = await aUser(fintech, { quota: 20 });
    expect(await refusedRepayment(other, { ...proper, id: ana.id, source: "quota" })).toEqual(["user_not_yours"]);
    expect(await refusedRepayment(other, { ...proper, id: ana.id })).toEqual(["more_than_owed"]);
  });
});
