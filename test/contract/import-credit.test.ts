import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accrueToday, aLoanType, businessDay, creditById, linesOf, passDays } from "../support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks, NOBODY, rawClient, refusalOf, standing } from "../support/service-calls.ts";

let service: TestService;
let fintech: TestEntity;
let stranger: string;

beforeAll(async () => {
  service = await aService();
  fintech = await service.anEntity();
  stranger = (await aUser(await service.anEntity("Other"), { quota: 10 })).id;
  await Promise.all([aLoanType(fintech), aLoanType(fintech, "stops", { after_due: "stop" })]);
});
afterAll(() => service.stop());

const inDays = (days: number): string => businessDay(service, days);

type Import = Parameters<TestEntity["client"]["importCredit"]>[0]["body"];

async function imported(entity: TestEntity, body: Import) {
  return (await entity.client.importCredit({ body })).body;
}

async function accruedOf(creditId: string) {
  const rows = await service.sql<{ day: string; amount: bigint; bookedOn: string }[]>`
    select a.day::text, a.amount, p.business_day::text as "bookedOn" from service.credit_accruals a
    join service.postings p on p.id = a.posting_id where a.credit_id = ${creditId} order by a.day`;
  return rows.map((row) => ({ ...row }));
}

describe("import-credit", () => {
  it("takes over a debt of the past as it stands today, for cash clearing, and gives no quota", async () => {
    const ana = await aUser(fintech, { name: "Ana" });
    const credit = await imported(fintech, {
      id: ana.id,
      loan_type: "micro",
      principal: "1000",
      outstanding: "600.50",
      unpaid_interest: "12.25",
      opened_on: inDays(-100),
      due_date: inDays(-40),
    });
    expect(credit).toMatchObject({
      user_id: ana.id,
      user: "Ana",
      loan_type: "micro",
      terms: { annual_rate_bps: 3_650, day_basis: 365, after_due: "continue", arrear_after: 0, default_after: 90 },
      state: "open",
      imported: true,
      principal: 1_000,
      outstanding: 600.5,
      accrued_interest: 0,
      unpaid_interest: 12.25,
      paid_principal: 399.5,
      paid_interest: 0,
      opened_on: inDays(-100),
      due_date: inDays(-40),
      closed_on: null,
      days_past_due: 40,
      bucket: "31-60",
      suggested_status: "arrear",
    });
    expect(await creditById(fintech, credit.id)).toEqual(credit);
    expect(await linesOf(service, credit.reference)).toEqual([
      ["cash_clearing", fintech.entityId, 61_275n],
      ["credits_receivable", fintech.entityId, -60_050n],
      ["interest_receivable", fintech.entityId, -1_225n],
    ]);
    expect((await fintech.client.user({ query: { id: ana.id } })).body.quota).toBe(0);
    await expectSoundBooks(service);
  });

  it("accrues the days that are over since its figures at once, booked with the debt, and goes on daily", async () => {
    const ana = await aUser(fintech);
    const body = { id: ana.id, loan_type: "micro", principal: "1000", opened_on: inDays(-30) };
    const credit = await imported(fintech, { ...body, accrued_through: inDays(-3) });
    expect(credit).toMatchObject({ accrued_interest: 3, unpaid_interest: 3, due_date: null, days_past_due: 0 });
    const brought = [-2, -1].map((day) => ({ day: inDays(day), amount: 100n, bookedOn: inDays(0) }));
    expect(await accruedOf(credit.id)).toEqual(brought);
    const postings = await service.sql`
      select distinct posting_id from service.credit_accruals where credit_id = ${credit.id}`;
    expect(postings).toHaveLength(1);
    passDays(service, 2);
    expect(await creditById(fintech, credit.id)).toMatchObject({ unpaid_interest: 5, bucket: "current" });
    await accrueToday(service);
    const daily = [-2, -1].map((day) => ({ day: inDays(day), amount: 100n, bookedOn: inDays(day) }));
    expect(await accruedOf(credit.id)).toEqual([...brought, ...daily]);
    await expectSoundBooks(service);
  });

  it("accrues nothing after a due date that has passed where its loan type stops there", async () => {
    const ana = await aUser(fintech);
    const body = { id: ana.id, loan_type: "stops", principal: "1000", opened_on: inDays(-30), due_date: inDays(-8) };
    const credit = await imported(fintech, { ...body, accrued_through: inDays(-10) });
    expect(credit).toMatchObject({ accrued_interest: 2, days_past_due: 8 });
    passDays(service, 9);
    expect(await creditById(fintech, credit.id)).toMatchObject({ accrued_interest: 2, days_past_due: 17 });
  });

  it("takes over interest alone, and the quota pays it back", async () => {
    const ana = await aUser(fintech, { quota: 10 });
    const body = { nit: ana.nit, loan_type: "default", principal: "50", outstanding: "0", unpaid_interest: "7.5" };
    const credit = await imported(fintech, { ...body, opened_on: inDays(-300) });
    expect(credit).toMatchObject({ outstanding: 0, unpaid_interest: 7.5, state: "open", paid_principal: 50 });
    const repayment = { id: ana.id, credit_id: credit.id, amount: "7.5", source: "quota" } as const;
    const { body: repaid } = await fintech.client.repayCredit({ body: repayment });
    expect(repaid).toMatchObject({ repaid_interest: "7.5", credits: [{ state: "closed" }] });
    await expectSoundBooks(service);
  });

  it("is carried out once for one idempotency key", async () => {
    const ana = await aUser(fintech);
    const body = { id: ana.id, loan_type: "micro", principal: "10", opened_on: inDays(-1) };
    const call = () => fintech.client.importCredit({ body }, { idempotencyKey: "import" });
    const [first, again] = [await call(), await call()];
    expect([first.replayed, again.replayed, again.body]).toEqual([false, true, first.body]);
    expect((await fintech.client.credits({ query: { "user-id": ana.id } })).body).toEqual([first.body]);
  });
});

describe("import-credit refuses, in order", () => {
  const proper = { id: NOBODY, loan_type: "micro", principal: "100", opened_on: "2020-01-01" };
  const cases: readonly (readonly [string, () => object, ...string[]])[] = [
    ["neither id nor nit", () => ({ id: undefined }), "invalid_request", ""],
    [
      "no loan type, principal or day",
      () => ({ loan_type: undefined, principal: undefined, opened_on: undefined }),
      "invalid_request",
      "/loan_type",
      "/opened_on",
      "/principal",
    ],
    ["a field of the answer", () => ({ reference: "x" }), "invalid_request", "/reference"],
    ["no principal at all", () => ({ principal: "0" }), "invalid_request", "/principal"],
    [
      "sums that are none",
      () => ({ outstanding: "-1", unpaid_interest: 3 }),
      "invalid_request",
      "/outstanding",
      "/unpaid_interest",
    ],
    ["three decimals", () => ({ outstanding: "0.001" }), "invalid_request", "/outstanding"],
    ["an unknown loan type", () => ({ loan_type: "macro" }), "invalid_request", "/loan_type"],
    ["a deposit, which is no credit", () => ({ loan_type: "deposit" }), "invalid_request", "/loan_type"],
    ["more outstanding than principal", () => ({ outstanding: "100.01" }), "invalid_request", "/outstanding"],
    ["nothing owed", () => ({ outstanding: "0" }), "invalid_request", "/outstanding"],
    ["a day of opening in the future", () => ({ opened_on: inDays(1) }), "invalid_request", "/opened_on"],
    ["a due date before the opening", () => ({ due_date: "2019-12-31" }), "invalid_request", "/due_date"],
    ["figures of tomorrow", () => ({ accrued_through: inDays(1) }), "invalid_request", "/accrued_through"],
    ["figures of before the opening", () => ({ accrued_through: "2019-12-31" }), "invalid_request", "/accrued_through"],
    ["figures of 401 days ago", () => ({ accrued_through: inDays(-401) }), "invalid_request", "/accrued_through"],
    [
      "every one of several faults",
      () => ({ loan_type: "macro", outstanding: "101", due_date: "2019-12-31" }),
      "invalid_request",
      "/due_date",
      "/loan_type",
      "/outstanding",
    ],
    ["an id that nobody has", () => ({}), "user_not_found"],
    ["another entity's user, who owes on nobody's word", () => ({ id: stranger }), "user_not_yours"],
  ];
  it.each(cases.map(([law, change, ...refusal]) => ({ law, change, refusal })))("$law", async ({ change, refusal }) => {
    const before = await standing(service);
    const raw = await rawClient(service, fintech);
    expect(await refusalOf(await raw("importCredit", { body: { ...proper, ...change() } }))).toEqual(refusal);
    expect(await standing(service)).toEqual(before);
  });
});
