import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  accrueToday,
  aLoanType,
  businessDay,
  creditsOf,
  lend,
  linesOf,
  openToLenders,
  passDays,
} from "../support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks, NOBODY, refusalMovingNothing } from "../support/service-calls.ts";

const REFERENCE = /^[0-9A-HJKMNP-TV-Z]{13}$/;

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

async function discharge(entity: TestEntity, id: string, amount: string) {
  return (await entity.client.dischargeQuota({ body: { id, amount } })).body;
}

const refusedDischarge = (entity: TestEntity, body: object) =>
  refusalMovingNothing(service, entity, "dischargeQuota", body);

async function quotaOf(id: string): Promise<number | null> {
  return (await fintech.client.user({ query: { id } })).body.quota;
}

describe("discharge-quota", () => {
  it("pays out what nobody is owed, and says so", async () => {
    const ana = await aUser(fintech, { name: "Ana" });
    const deposit = { id: ana.id, amount: "20.50", loan_type: "deposit", payment_date: inDays(0) };
    await fintech.client.addQuota({ body: deposit });
    const { response, ...answer } = await discharge(fintech, ana.id, "12.50");
    expect(answer).toEqual({
      message:
        "12.5 COP taken from the quota of Ana: 0 COP repaid interest, 0 COP principal, and 12.5 COP were paid out.",
      repaid_interest: "0",
      repaid_principal: "0",
      paid_out: "12.5",
    });
    expect(response).toMatch(REFERENCE);
    expect(await quotaOf(ana.id)).toBe(8);
    expect(await linesOf(service, response)).toEqual([
      ["cash_clearing", fintech.entityId, 1_250n],
      ["user_quota", fintech.entityId, -1_250n],
    ]);
  });

  it("repays the earliest due date first, within it interest before principal, and pays out the rest", async () => {
    const ana = await aUser(fintech);
    const late = await lend(fintech, ana.id, "2000", { payment_date: inDays(40) });
    const soon = await lend(fintech, ana.id, "1000", { payment_date: inDays(30) });
    passDays(service, 5);
    // 5 days at one per mille: 5 of the 1000, 10 of the 2000.
    const first = await discharge(fintech, ana.id, "605");
    expect(first).toMatchObject({ repaid_interest: "5", repaid_principal: "600", paid_out: "0" });
    expect(
      (await creditsOf(fintech, ana.id)).map(({ id, outstanding, unpaid_interest }) => [
        id,
        outstanding,
        unpaid_interest,
      ]),
    ).toEqual([
      [soon.id, 400, 0],
      [late.id, 2_000, 10],
    ]);
    passDays(service, 1);
    // One day more: 0.4 of the 400, 2 of the 2000.
    const second = await discharge(fintech, ana.id, "2395");
    expect(second).toMatchObject({ repaid_interest: "12.4", repaid_principal: "2382.6", paid_out: "0" });
    expect(await linesOf(service, second.response)).toEqual([
      ["credits_receivable", fintech.entityId, 238_260n],
      ["interest_receivable", fintech.entityId, 1_240n],
      ["user_quota", fintech.entityId, -239_500n],
    ]);
    expect(await quotaOf(ana.id)).toBe(0);
    await expectSoundBooks(service);
  });

  it("closes a credit when its principal and interest are paid", async () => {
    const ana = await aUser(fintech, { quota: 10 });
    await lend(fintech, ana.id, "1000", { payment_date: inDays(1) });
    passDays(service, 3);
    expect(await discharge(fintech, ana.id, "1009")).toMatchObject({ repaid_interest: "3", repaid_principal: "1006" });
    const [micro, opening] = await creditsOf(fintech, ana.id);
    expect(micro).toMatchObject({ state: "closed", outstanding: 0, paid_principal: 1_000, paid_interest: 3 });
    expect(micro?.closed_on).toBe(inDays(0));
    expect(opening).toMatchObject({ state: "open", outstanding: 4, paid_principal: 6, loan_type: "default" });
  });

  it("repays what a blocked user owes and pays it nothing out, blocked itself or by its status", async () => {
    const ana = await aUser(fintech, { quota: 10 });
    const deposit = { id: ana.id, amount: "50", loan_type: "deposit", payment_date: inDays(0) };
    await fintech.client.addQuota({ body: deposit });
    await fintech.client.blockUser({ body: { id: ana.id } });
    expect(await refusedDischarge(fintech, { id: ana.id, amount: "10.01" })).toEqual(["payer_blocked"]);
    const preview = { body: { id: ana.id, amount: "10.01" } };
    await expect(fintech.client.previewDischargeQuota(preview)).rejects.toMatchObject({ code: "payer_blocked" });
    const repaid = await discharge(fintech, ana.id, "10");
    expect(repaid).toMatchObject({ repaid_principal: "10", paid_out: "0" });
    expect(await refusedDischarge(fintech, { id: ana.id, amount: "0.01" })).toEqual(["payer_blocked"]);
    await fintech.client.unblockUser({ body: { id: ana.id } });
    expect(await discharge(fintech, ana.id, "20")).toMatchObject({ paid_out: "20" });
    await fintech.client.updateUser({ body: { id: ana.id, status: "default" } });
    await fintech.client.putEntitySettings({ body: { blocking_statuses: ["default"] } });
    expect(await refusedDischarge(fintech, { id: ana.id, amount: "30" })).toEqual(["payer_blocked"]);
    await fintech.client.putEntitySettings({ body: { blocking_statuses: [] } });
    expect(await discharge(fintech, ana.id, "30")).toMatchObject({ paid_out: "30" });
    await expectSoundBooks(service);
  });

  it("finds the user by id, by nit in any spelling, or by both when they agree", async () => {
    const ana = await aUser(fintech, { quota: 3 });
    const dotted = `${ana.nit.slice(0, 2)}.${ana.nit.slice(2)}`;
    for (const who of [{ id: ana.id }, { nit: dotted }, { id: ana.id.toUpperCase(), nit: dotted }]) {
      await fintech.client.dischargeQuota({ body: { ...who, amount: "1" } });
    }
    expect(await quotaOf(ana.id)).toBe(0);
  });

  it("lets another entity take back what it assigned, however its own interest grew", async () => {
    const ana = await aUser(fintech, { quota: 500 });
    const usury = { annual_rate_bps: 100_000, after_due: "continue" } as const;
    await other.client.putLoanType({ params: { loan_type: "usury" }, body: usury });
    await lend(other, ana.id, "20000000", { loan_type: "usury", payment_date: inDays(10) });
    passDays(service, 1);
    expect(await refusedDischarge(other, { id: ana.id, amount: "20000000.01" })).toEqual(["user_not_yours"]);
    const answer = await discharge(other, ana.id, "20000000");
    expect(answer).toMatchObject({ repaid_interest: "0", repaid_principal: "20000000", paid_out: "0" });
    expect((await fintech.client.user({ query: { id: ana.id } })).body.quota).toBe(500);
    expect(await refusedDischarge(other, { id: ana.id, amount: "0.01" })).toEqual(["user_not_yours"]);
  });

  it("lets it take all that it is owed where the creator says so: the creator owes it the quota", async () => {
    const ana = await aUser(fintech, { quota: 500 });
    await fintech.client.putEntitySettings({ body: { foreign_lenders: "owed" } });
    await lend(other, ana.id, "300", { payment_date: inDays(10) });
    passDays(service, 2);
    expect(await refusedDischarge(other, { id: ana.id, amount: "300.61" })).toEqual(["user_not_yours"]);
    const { response, ...answer } = await discharge(other, ana.id, "300.60");
    expect(answer).toMatchObject({ repaid_interest: "0.6", repaid_principal: "300", paid_out: "0" });
    expect(await linesOf(service, response)).toEqual([
      ["credits_receivable", other.entityId, 30_000n],
      ["due_from", other.entityId, -30_060n],
      ["due_to", fintech.entityId, 30_060n],
      ["interest_receivable", other.entityId, 60n],
      ["user_quota", fintech.entityId, -30_060n],
    ]);
    expect(await refusedDischarge(other, { id: ana.id, amount: "0.01" })).toEqual(["user_not_yours"]);
    // The creator's own credit was not touched by it.
    expect((await creditsOf(fintech, ana.id))[0]).toMatchObject({ outstanding: 500, state: "open" });
    await fintech.client.putEntitySettings({ body: { foreign_lenders: "principal" } });
    await expectSoundBooks(service);
  });

  it("takes nothing for a credit of another entity: the creator's discharge pays out instead", async () => {
    const ana = await aUser(fintech);
    await lend(other, ana.id, "100", { payment_date: inDays(10) });
    expect(await discharge(fintech, ana.id, "60")).toMatchObject({ repaid_principal: "0", paid_out: "60" });
    expect((await creditsOf(other, ana.id))[0]).toMatchObject({ outstanding: 100 });
  });

  it("leaves a credit alone that was written off", async () => {
    const ana = await aUser(fintech);
    const { id } = await lend(fintech, ana.id, "100", { payment_date: inDays(10) });
    await fintech.client.writeOffCredit({ body: { credit_id: id } });
    expect(await discharge(fintech, ana.id, "100")).toMatchObject({ repaid_principal: "0", paid_out: "100" });
  });

  it("does the same whether the daily run has been or not", async () => {
    const [ana, eva] = [await aUser(fintech), await aUser(fintech)];
    for (const { id } of [ana, eva]) await lend(fintech, id, "1000", { payment_date: inDays(1) });
    passDays(service, 7);
    const before = await discharge(fintech, ana.id, "500");
    await accrueToday(service);
    const after = await discharge(fintech, eva.id, "500");
    expect([before.repaid_interest, before.repaid_principal]).toEqual(["7", "493"]);
    expect([after.repaid_interest, after.repaid_principal]).toEqual(["7", "493"]);
  });

  it("is carried out once for one idempotency key, a refusal too", async () => {
    const ana = await aUser(fintech, { quota: 10 });
    const body = { id: ana.id, amount: "6" };
    const first = await fintech.client.dischargeQuota({ body }, { idempotencyKey: "discharge" });
    const again = await fintech.client.dischargeQuota({ body }, { idempotencyKey: "discharge" });
    expect([again.replayed, again.body]).toEqual([true, first.body]);
    const short = () => fintech.client.dischargeQuota({ body }, { idempotencyKey: "short" });
    await expect(short()).rejects.toMatchObject({ code: "insufficient_balance" });
    await fintech.client.addQuota({ body: { ...body, loan_type: "default", payment_date: inDays(1) } });
    await expect(short()).rejects.toMatchObject({ code: "insufficient_balance" });
    expect(await quotaOf(ana.id)).toBe(10);
  });
});

describe("discharge-quota refuses, in order", () => {
  const cases: readonly (readonly [string, object, ...string[]])[] = [
    ["neither id nor nit", { id: undefined }, "invalid_request", ""],
    ["no amount", { amount: undefined }, "invalid_request", "/amount"],
    ["an amount that is a number", { amount: 10 }, "invalid_request", "/amount"],
    ["zero", { amount: "0" }, "invalid_request", "/amount"],
    ["a negative amount", { amount: "-1" }, "invalid_request", "/amount"],
    ["three decimals", { amount: "0.001" }, "invalid_request", "/amount"],
    ["a field of add-quota, and a wrong id", { id: "7", loan_type: "x" }, "invalid_request", "/id", "/loan_type"],
    ["an id that nobody has", {}, "user_not_found"],
    ["a nit that nobody has", { id: undefined, nit: "404" }, "user_not_found"],
  ];
  it.each(cases.map(([law, change, ...refusal]) => ({ law, change, refusal })))("$law", async ({ change, refusal }) => {
    expect(await refusedDischarge(fintech, { id: NOBODY, amount: "10", ...change })).toEqual(refusal);
  });

  it("an id and a nit of two users", async () => {
    const [ana, eva] = [await aUser(fintech), await aUser(fintech)];
    const body = { id: ana.id, nit: eva.nit, amount: "1" };
    expect(await refusedDischarge(fintech, body)).toEqual(["invalid_request", "/nit"]);
  });

  it("another entity's user before a balance that does not cover the amount", async () => {
    const ana = await aUser(fintech);
    expect(await refusedDischarge(other, { id: ana.id, amount: "1" })).toEqual(["user_not_yours"]);
    expect(await refusedDischarge(fintech, { id: ana.id, amount: "1" })).toEqual(["insufficient_balance"]);
  });

  it("more than the quota, also when more is owed", async () => {
    const [ana, shop] = [await aUser(fintech), await aUser(fintech)];
    await lend(fintech, ana.id, "100", { payment_date: inDays(10) });
    const payment = { amount: 30, from_user_id: ana.id, to_user_id: shop.id };
    await fintech.client.createTransaction({ body: payment });
    expect(await refusedDischarge(fintech, { id: ana.id, amount: "70.01" })).toEqual(["insufficient_balance"]);
    expect(await discharge(fintech, ana.id, "70")).toMatchObject({ repaid_principal: "70" });
  });

  it("what a hold has taken", async () => {
    const [ana, shop] = [await aUser(fintech, { quota: 100 }), await aUser(fintech)];
    const hold = { amount: 30, from_user_id: ana.id, to_user_id: shop.id, status: "pending" } as const;
    await fintech.client.createTransaction({ body: hold });
    expect(await refusedDischarge(fintech, { id: ana.id, amount: "70.01" })).toEqual(["insufficient_balance"]);
    expect(await discharge(fintech, ana.id, "70")).toMatchObject({ repaid_principal: "70" });
  });
});
