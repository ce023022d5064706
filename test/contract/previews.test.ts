import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aLoanType, businessDay, creditsOf, lend, openToLenders, passDays } from "../support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { NOBODY, type OperationName, rawClient, refusalOf, standing } from "../support/service-calls.ts";

let service: TestService;
let fintech: TestEntity;
let other: TestEntity;

beforeAll(async () => {
  service = await aService();
  [fintech, other] = [await service.anEntity(), await service.anEntity("Other")];
  await openToLenders([fintech, other]);
  await Promise.all([aLoanType(fintech), aLoanType(fintech, "stops", { after_due: "stop" }), aLoanType(other)]);
});
afterAll(() => service.stop());

const inDays = (days: number): string => businessDay(service, days);

async function balanceOf(id: string) {
  const { quota, quota_available } = (await fintech.client.user({ query: { id } })).body;
  return { quota: String(quota), quota_available: String(quota_available) };
}

/** Returns the preview, after checking that it changed nothing. */
async function lookAhead<A>(preview: () => Promise<{ body: A }>): Promise<A> {
  const before = await standing(service);
  const { body } = await preview();
  expect(await standing(service)).toEqual(before);
  return body;
}

describe("preview-add-quota", () => {
  it("says what then happens: terms, interest up to the due date, and the balance", async () => {
    const ana = await aUser(fintech, { quota: 5 });
    const body = { id: ana.id, amount: "123.45", loan_type: "micro", payment_date: inDays(10) };
    const preview = await lookAhead(() => fintech.client.previewAddQuota({ body }));
    expect(preview).toEqual({
      amount: "123.45",
      loan_type: "micro",
      payment_date: inDays(10),
      terms: { annual_rate_bps: 3_650, day_basis: 365, after_due: "continue", arrear_after: 0, default_after: 90 },
      interest_until_due: "1.23",
      quota: "128.45",
      quota_available: "128.45",
    });
    await fintech.client.addQuota({ body });
    expect(await balanceOf(ana.id)).toEqual({ quota: preview.quota, quota_available: preview.quota_available });
    const [credit] = await creditsOf(fintech, ana.id);
    expect(credit?.terms).toEqual(preview.terms);
    passDays(service, 10);
    expect(String((await creditsOf(fintech, ana.id))[0]?.accrued_interest)).toBe(preview.interest_until_due);
  });

  it("knows no terms and no interest of a deposit, and no balance of another entity's user", async () => {
    const [ana, foreign] = [await aUser(fintech), await aUser(other)];
    const body = { amount: "7", loan_type: "deposit", payment_date: inDays(0) };
    const preview = await lookAhead(() => fintech.client.previewAddQuota({ body: { nit: ana.nit, ...body } }));
    expect(preview).toMatchObject({ terms: null, interest_until_due: null, quota: "7", quota_available: "7" });
    const across = await lookAhead(() => fintech.client.previewAddQuota({ body: { nit: foreign.nit, ...body } }));
    expect(across).toMatchObject({ terms: null, quota: null, quota_available: null });
  });

  it("leaves out of what can be spent what holds have taken", async () => {
    const [ana, shop] = [await aUser(fintech, { quota: 100 }), await aUser(fintech)];
    const hold = { amount: 30, from_user_id: ana.id, to_user_id: shop.id, status: "pending" } as const;
    await fintech.client.createTransaction({ body: hold });
    const body = { id: ana.id, amount: "1", loan_type: "default", payment_date: inDays(0) };
    const preview = await lookAhead(() => fintech.client.previewAddQuota({ body }));
    expect(preview).toMatchObject({ quota: "101", quota_available: "71", interest_until_due: "0" });
  });
});

describe("preview-discharge-quota", () => {
  it("says what then happens to every part of the amount", async () => {
    const ana = await aUser(fintech, { quota: 50 });
    await lend(fintech, ana.id, "1000", { payment_date: inDays(2) });
    await lend(fintech, ana.id, "2000", { loan_type: "stops", payment_date: inDays(1) });
    await lend(other, ana.id, "300", { payment_date: inDays(1) });
    passDays(service, 5);
    for (const amount of ["1", "5.5", "2006", "1044", "290"]) {
      const body = { id: ana.id, amount };
      const owed = (await creditsOf(fintech, ana.id)).filter(({ state }) => state === "open");
      const { repaid_interest, repaid_principal, paid_out, quota, quota_available, ...preview } = await lookAhead(() =>
        fintech.client.previewDischargeQuota({ body }),
      );
      expect(preview).toEqual({
        amount,
        interest_to_date: String(owed.reduce((sum, credit) => sum + credit.unpaid_interest, 0)),
        outstanding: String(owed.reduce((sum, credit) => sum + credit.outstanding, 0)),
      });
      const { body: done } = await fintech.client.dischargeQuota({ body });
      expect(done).toMatchObject({ repaid_interest, repaid_principal, paid_out });
      expect(await balanceOf(ana.id)).toEqual({ quota, quota_available });
    }
    expect((await creditsOf(fintech, ana.id)).every(({ state }) => state === "closed")).toBe(true);
  });

  it("waits for nobody's lock: a hot account costs a preview nothing, and it costs the account nothing", async () => {
    const ana = await aUser(fintech, { quota: 5 });
    await service.sql.begin(async (tx) => {
      await tx`select from service.accounts where id = ${ana.id} for update`;
      await tx`select from service.entities where id = ${fintech.entityId} for update`;
      const { body } = await fintech.client.previewDischargeQuota({ body: { id: ana.id, amount: "5" } });
      expect(body).toMatchObject({ repaid_principal: "5", quota: "0" });
    });
  });

  it("tells another entity what it is owed to date", async () => {
    const ana = await aUser(fintech);
    await lend(other, ana.id, "300", { payment_date: inDays(1) });
    passDays(service, 2);
    const body = { id: ana.id, amount: "300" };
    expect(await lookAhead(() => other.client.previewDischargeQuota({ body }))).toMatchObject({
      interest_to_date: "0.6",
      outstanding: "300",
      repaid_interest: "0",
      repaid_principal: "300",
      paid_out: "0",
      quota: null,
    });
  });
});

describe("the previews refuse what the real ones refuse, with the same words", () => {
  const cases: readonly (readonly [string, "addQuota" | "dischargeQuota", () => object, string])[] = [
    ["an invalid body", "addQuota", () => ({ amount: 1 }), "invalid_request"],
    ["an unknown loan type", "addQuota", () => ({ loan_type: "macro" }), "invalid_request"],
    ["a day that is past", "addQuota", () => ({ payment_date: inDays(-1) }), "invalid_request"],
    ["another entity", "addQuota", () => ({ financial_entity_id: NOBODY }), "entity_not_yours"],
    ["an unknown user", "addQuota", () => ({ id: NOBODY }), "user_not_found"],
    ["a balance past the largest", "addQuota", () => ({ amount: "9999999999999" }), "balance_limit"],
    ["an invalid body", "dischargeQuota", () => ({ amount: "-1" }), "invalid_request"],
    ["an unknown user", "dischargeQuota", () => ({ id: NOBODY }), "user_not_found"],
    ["another entity's user", "dischargeQuota", () => ({ id: foreign }), "user_not_yours"],
    ["too little quota", "dischargeQuota", () => ({ amount: "10.01" }), "insufficient_balance"],
  ];
  let own = "";
  let foreign = "";
  beforeAll(async () => {
    [own, foreign] = [(await aUser(fintech, { quota: 10 })).id, (await aUser(other, { quota: 10 })).id];
  });
  it.each(cases.map(([law, real, change, code]) => ({ law, real, change, code })))(
    "$real: $law",
    async ({ real, change, code }) => {
      const lending = { loan_type: "default", payment_date: inDays(0) };
      const body = { id: own, amount: "1", ...(real === "addQuota" ? lending : {}), ...change() };
      const raw = await rawClient(service, fintech);
      const preview: OperationName = real === "addQuota" ? "previewAddQuota" : "previewDischargeQuota";
      const [looked, done] = [await raw(preview, { body }), await raw(real, { body })];
      const words = async (response: Response) => {
        const { request_id: _, ...problem } = (await response.clone().json()) as Record<string, unknown>;
        return problem;
      };
      expect(await words(looked)).toEqual(await words(done));
      expect((await refusalOf(looked))[0]).toBe(code);
    },
  );
});
