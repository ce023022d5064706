import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  accrueToday,
  aLoanType,
  businessDay,
  lend,
  linesOf,
  openToLenders,
  passDays,
} from "../support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks, NOBODY, refusalMovingNothing } from "../support/service-calls.ts";

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

async function cancel(entity: TestEntity, credit_id: string) {
  return (await entity.client.cancelCredit({ body: { credit_id } })).body;
}

const refusedCancellation = (entity: TestEntity, body: object) =>
  refusalMovingNothing(service, entity, "cancelCredit", body);

async function cancellationLines(creditId: string) {
  const [posting] = await service.sql<{ reference: string }[]>`
    select p.reference from service.credit_movements m join service.postings p on p.id = m.posting_id
    where m.credit_id = ${creditId} and m.kind = 'cancelled'`;
  return linesOf(service, posting?.reference ?? "");
}

describe("cancel-credit", () => {
  it("takes the quota back and undoes the interest, whether it was posted or not", async () => {
    const ana = await aUser(fintech, { quota: 5 });
    const credit = await lend(fintech, ana.id, "1000", { payment_date: inDays(30) });
    passDays(service, 3);
    await accrueToday(service);
    passDays(service, 1);
    const cancelled = await cancel(fintech, credit.id);
    expect(cancelled).toEqual({
      ...credit,
      state: "cancelled",
      outstanding: 0,
      accrued_interest: 4,
      closed_on: inDays(0),
      days_past_due: null,
      bucket: null,
      suggested_status: null,
    });
    expect(await cancellationLines(credit.id)).toEqual([
      ["credits_receivable", fintech.entityId, 100_000n],
      ["interest_income", fintech.entityId, -400n],
      ["interest_receivable", fintech.entityId, 400n],
      ["user_quota", fintech.entityId, -100_000n],
    ]);
    expect((await fintech.client.user({ query: { id: ana.id } })).body.quota).toBe(5);
    const [left] = await service.sql`
      select sum(posted) as posted from service.accounts
      where entity_id = ${fintech.entityId} and kind in ('interest_receivable', 'interest_income')`;
    expect(left?.posted).toBe("0");
    await expectSoundBooks(service);
  });

  it("undoes an assignment to another entity's user: what one owed the other is owed back", async () => {
    const ana = await aUser(fintech);
    const credit = await lend(other, ana.id, "80", { payment_date: inDays(30) });
    await cancel(other, credit.id);
    expect(await cancellationLines(credit.id)).toEqual([
      ["credits_receivable", other.entityId, 8_000n],
      ["due_from", other.entityId, -8_000n],
      ["due_to", fintech.entityId, 8_000n],
      ["user_quota", fintech.entityId, -8_000n],
    ]);
    await expectSoundBooks(service);
  });

  it("takes no quota for a credit that was imported, which gave none", async () => {
    const ana = await aUser(fintech);
    const body = { id: ana.id, loan_type: "micro", principal: "70", unpaid_interest: "2", opened_on: inDays(-9) };
    // Three days that came with it and ten since: 13 of 0.07 each.
    const { body: imported } = await fintech.client.importCredit({ body: { ...body, accrued_through: inDays(-3) } });
    passDays(service, 10);
    expect(await cancel(fintech, imported.id)).toMatchObject({
      state: "cancelled",
      outstanding: 0,
      unpaid_interest: 0,
    });
    expect(await cancellationLines(imported.id)).toEqual([
      ["cash_clearing", fintech.entityId, -7_200n],
      ["credits_receivable", fintech.entityId, 7_000n],
      ["interest_income", fintech.entityId, -91n],
      ["interest_receivable", fintech.entityId, 291n],
    ]);
    await expectSoundBooks(service);
  });

  it("is carried out once for one idempotency key", async () => {
    const ana = await aUser(fintech);
    const { id: credit_id } = await lend(fintech, ana.id, "10", { payment_date: inDays(1) });
    const call = () => fintech.client.cancelCredit({ body: { credit_id } }, { idempotencyKey: "cancel" });
    const [first, again] = [await call(), await call()];
    expect([first.replayed, again.replayed, again.body]).toEqual([false, true, first.body]);
  });
});

describe("cancel-credit refuses, in order", () => {
  const cases: readonly (readonly [string, object, ...string[]])[] = [
    ["no credit", {}, "invalid_request", "/credit_id"],
    ["an id that is none", { credit_id: "7" }, "invalid_request", "/credit_id"],
    ["an unknown field", { credit_id: NOBODY, amount: "1" }, "invalid_request", "/amount"],
    ["a credit that nobody has", { credit_id: NOBODY }, "credit_not_found"],
  ];
  it.each(cases.map(([law, body, ...refusal]) => ({ law, body, refusal })))("$law", async ({ body, refusal }) => {
    expect(await refusedCancellation(fintech, body)).toEqual(refusal);
  });

  it("another entity's credit, then one that is cancelled already", async () => {
    const ana = await aUser(fintech);
    const { id: credit_id } = await lend(fintech, ana.id, "10", { payment_date: inDays(1) });
    expect(await refusedCancellation(other, { credit_id })).toEqual(["credit_not_found"]);
    await cancel(fintech, credit_id);
    expect(await refusedCancellation(fintech, { credit_id })).toEqual(["credit_not_open"]);
  });

  it("one that was repaid in part, before a quota that is not there", async () => {
    const ana = await aUser(fintech);
    const { id: credit_id } = await lend(fintech, ana.id, "10", { payment_date: inDays(1) });
    await fintech.client.dischargeQuota({ body: { id: ana.id, amount: "0.01" } });
    expect(await refusedCancellation(fintech, { credit_id })).toEqual(["credit_repaid"]);
  });

  it("one whose quota was spent, or is held", async () => {
    const [ana, shop] = [await aUser(fintech), await aUser(fintech)];
    const { id: credit_id } = await lend(fintech, ana.id, "10", { payment_date: inDays(1) });
    const payment = { amount: 4, from_user_id: ana.id, to_user_id: shop.id };
    await fintech.client.createTransaction({ body: payment });
    expect(await refusedCancellation(fintech, { credit_id })).toEqual(["insufficient_balance"]);
    const deposit = { id: ana.id, amount: "4", loan_type: "deposit", payment_date: inDays(0) };
    await fintech.client.addQuota({ body: deposit });
    const { body: hold } = await fintech.client.createTransaction({ body: { ...payment, status: "pending" } });
    expect(await refusedCancellation(fintech, { credit_id })).toEqual(["insufficient_balance"]);
    await fintech.client.settleTransaction({ body: { id: hold.id, status: "rejected" } });
    expect(await cancel(fintech, credit_id)).toMatchObject({ state: "cancelled" });
  });
});
