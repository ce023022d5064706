import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bogota, goTo, todayOf } from "../support/business-days.ts";
import { openToLenders } from "../support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { rawClient, refusalOf } from "../support/service-calls.ts";

let service: TestService;
let fintech: TestEntity;
let other: TestEntity;

/** 36.5 % a year of 365 days: 1 000 000 costs 1 000 a day. */
const TERMS = { annual_rate_bps: 3_650, day_basis: 365, after_due: "continue" } as const;
const MARCH = { year: "2029", month: "03" };

beforeAll(async () => {
  service = await aService();
  goTo(service, "2029-03-05");
  [fintech, other] = [await service.anEntity(), await service.anEntity("Other")];
  await openToLenders([fintech, other]);
  await fintech.client.putLoanType({ params: { loan_type: "gold" }, body: TERMS });
});
afterAll(() => service.stop());

async function lend(id: string, amount: number, days: number, loanType: string): Promise<void> {
  const payment_date = bogota.addDays(todayOf(service), days);
  await fintech.client.addQuota({ body: { id, amount: String(amount), loan_type: loanType, payment_date } });
}

async function report(query: object = MARCH, entity = fintech) {
  return (await entity.client.getAccountingReport({ query: { ...MARCH, ...query } })).body;
}

/** The columns of an account that are not zero. */
function line(account: Record<string, unknown>): Record<string, unknown> {
  const { account: _, counterparty_id, ...columns } = account;
  const full = Object.entries(columns).filter(([, text]) => text !== "0");
  return { ...Object.fromEntries(full), ...(counterparty_id === null ? {} : { counterparty_id }) };
}

/** Five days in March: three credits, one late and one written off, a deposit, a payment to the other entity. */
async function someBusiness(): Promise<void> {
  const [ana, luz, eva, pia] = await Promise.all([fintech, fintech, other, fintech].map((entity) => aUser(entity)));
  await lend(ana?.id ?? "", 1_000_000, 2, "gold");
  await lend(luz?.id ?? "", 600_000, 30, "default");
  await lend(eva?.id ?? "", 400_000, 30, "default");
  await lend(pia?.id ?? "", 50_000, 0, "deposit");
  await fintech.client.createTransaction({
    body: { amount: 70_000, from_user_id: ana?.id ?? "", to_user_id: eva?.id ?? "" },
  });
  goTo(service, 5);
  await fintech.client.dischargeQuota({ body: { id: ana?.id ?? "", amount: "105000" } });
  await fintech.client.dischargeQuota({ body: { id: pia?.id ?? "", amount: "20000" } });
  const { body: credits } = await fintech.client.credits({ query: { "user-id": luz?.id ?? "" } });
  await fintech.client.writeOffCredit({ body: { credit_id: credits[0]?.id ?? "" } });
  await fintech.client.repayCredit({ body: { id: luz?.id ?? "", amount: "1000", source: "cash" } });
}

describe("get-accounting-report", () => {
  it("tells a month by hand: principal, interest, ageing, portfolio at risk and the trial balance", async () => {
    await someBusiness();
    const march = await report();
    expect(march).toMatchObject({
      ...{ entity_id: fintech.entityId, year: 2029, month: 3, loan_product: null, closed: false, currency: "COP" },
      period: { from_date: "2029-03-01T05:00:00.000Z", to_date: expect.stringMatching(/^2029-03-10T17:00/), days: 10 },
      principal: {
        opening: "0",
        granted: "2000000",
        cancelled: "0",
        repaid: "100000",
        written_off: "600000",
        closing: "1300000",
      },
      interest: { opening: "0", accrued: "5000", cancelled: "0", paid: "5000", written_off: "0", closing: "0" },
      ...{ recovered: "1000", credits: 2, borrowers: 2 },
      portfolio_at_risk: {
        par1: { outstanding: "900000", rate_bps: 6_923 },
        par30: { outstanding: "0", rate_bps: 0 },
        par60: { outstanding: "0", rate_bps: 0 },
        par90: { outstanding: "0", rate_bps: 0 },
      },
    });
    expect(march.ageing.filter(({ credits: count }) => count > 0)).toEqual([
      { bucket: "current", credits: 1, outstanding: "400000", share_bps: 3_077 },
      { bucket: "1-30", credits: 1, outstanding: "900000", share_bps: 6_923 },
    ]);
    const { accounts, total } = march.trial_balance ?? { accounts: [], total: undefined };
    expect(Object.fromEntries(accounts.map((account) => [account.account, line(account)]))).toEqual({
      user_quota: { debit: "195000", credit: "1650000", closing_credit: "1455000" },
      credits_receivable: { debit: "2000000", credit: "700000", closing_debit: "1300000" },
      interest_receivable: { debit: "5000", credit: "5000" },
      cash_clearing: { debit: "51000", credit: "20000", closing_debit: "31000" },
      losses: { debit: "600000", closing_debit: "600000" },
      recoveries: { credit: "1000", closing_credit: "1000" },
      interest_income: { credit: "5000", closing_credit: "5000" },
      due_to: { credit: "470000", closing_credit: "470000", counterparty_id: other.entityId },
    });
    expect(line({ ...total, account: "", counterparty_id: null })).toEqual({
      ...{ debit: "2851000", credit: "2851000", closing_debit: "1931000", closing_credit: "1931000" },
    });
    const [due] =
      (await report({}, other)).trial_balance?.accounts.filter(({ account }) => account === "due_from") ?? [];
    expect(line(due ?? {})).toEqual({ debit: "470000", closing_debit: "470000", counterparty_id: fintech.entityId });
  });

  it("is narrowed to a loan product, without the trial balance, and the products sum to the whole", async () => {
    const [whole, gold, plain] = [
      await report(),
      await report({ "loan-product": "gold" }),
      await report({ "loan-product": "default" }),
    ];
    expect(gold).toMatchObject({
      loan_product: "gold",
      trial_balance: null,
      credits: 1,
      principal: { closing: "900000" },
    });
    expect(plain).toMatchObject({ trial_balance: null, credits: 1, interest: { accrued: "0" }, recovered: "1000" });
    for (const name of ["opening", "granted", "cancelled", "repaid", "written_off", "closing"] as const) {
      expect(Number(gold.principal[name]) + Number(plain.principal[name])).toBe(Number(whole.principal[name]));
    }
  });

  it("gives the trial balance as text/csv", async () => {
    const raw = await rawClient(service, fintech);
    const answer = await raw("getAccountingReport", { query: MARCH, headers: { accept: "text/csv" } });
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="trial-balance-2029-03.csv"');
    const lines = (await answer.text()).split("\r\n");
    expect(lines[0]).toBe(
      "account,counterparty_id,opening_debit,opening_credit,debit,credit,closing_debit,closing_credit",
    );
    expect(lines[2]).toBe("credits_receivable,,0,0,2000000,700000,1300000,0");
    expect(lines.at(-2)).toBe("total,,0,0,2851000,2851000,1931000,1931000");
    expect(lines.at(-1)).toBe("");
  });

  it("opens a month with what the one before left, and reads 1 as 01", async () => {
    goTo(service, "2029-04-02");
    const [march, april] = [await report({ month: "3" }), await report({ month: "4" })];
    expect(march.period).toMatchObject({ to_date: "2029-04-01T05:00:00.000Z", days: 31 });
    expect(april.principal.opening).toBe(march.principal.closing);
    expect(april.interest.opening).toBe(march.interest.closing);
    for (const { account, closing_debit, closing_credit } of march.trial_balance?.accounts ?? []) {
      const opened = april.trial_balance?.accounts.find((each) => each.account === account);
      expect(opened).toMatchObject({ opening_debit: closing_debit, opening_credit: closing_credit });
    }
  });

  it("is of nothing before there was anything, and every share and rate is then null", async () => {
    const empty = await report({ year: "1999", month: "12" });
    expect(empty).toMatchObject({ credits: 0, portfolio_at_risk: { par1: { outstanding: "0", rate_bps: null } } });
    expect(empty.ageing).toHaveLength(7);
    expect(empty.trial_balance?.accounts).toHaveLength(7);
  });

  it("refuses, in order: a media type that it has not, and what is wrong in the query", async () => {
    const raw = await rawClient(service, fintech);
    const wrong: [string, Record<string, string>, string?][] = [
      ["not_acceptable", { year: "29" }, "text/html"],
      ["invalid_request month year", {}],
      ["invalid_request month year", { year: "29", month: "13" }],
      ["invalid_request year", { year: "1899", month: "1" }],
      ["invalid_request uid", { ...MARCH, uid: fintech.entityId }],
      ["invalid_request month", { year: "2029", month: "05" }],
      ["invalid_request month", { year: "2999", month: "1" }],
      ["invalid_request loan-product month", { year: "2029", month: "05", "loan-product": "gold" }, "text/csv"],
      ["invalid_request loan-product", { ...MARCH, "loan-product": "gold" }, "text/csv"],
      ["invalid_request loan-product", { ...MARCH, "loan-product": "silver" }],
      ["invalid_request loan-product", { ...MARCH, "loan-product": "deposit" }],
    ];
    for (const [code, query, accept = "application/json"] of wrong) {
      const answer = await raw("getAccountingReport", { query, headers: { accept } });
      expect((await refusalOf(answer)).join(" ")).toBe(code);
    }
  });

  it("has an imported credit and its interest from its import on, be the month before closed or not", async () => {
    goTo(service, "2029-06-04");
    const [closing, open] = [await service.anEntity("Closing"), await service.anEntity("Open")];
    goTo(service, "2029-07-03");
    await closing.client.closeMonth({ body: { month: "2029-06" } });
    for (const entity of [closing, open]) {
      await entity.client.putLoanType({ params: { loan_type: "gold" }, body: TERMS });
      const { id } = await aUser(entity);
      const days = { opened_on: "2029-01-10", accrued_through: "2029-05-31", due_date: "2029-06-20" };
      const owed = { principal: "1000000", unpaid_interest: "700" };
      await entity.client.importCredit({ body: { id, loan_type: "gold", ...owed, ...days } });
      const { closed: _, ...june } = await report({ month: "6" }, entity);
      expect(june).toMatchObject({ interest: { accrued: "0", closing: "0" }, principal: { closing: "0" }, credits: 0 });
      expect(june.trial_balance?.total).toMatchObject({ debit: "0", credit: "0" });
      const july = await report({ month: "7" }, entity);
      // The 30 days of June and 2 of July: the third is not over.
      expect(july.interest).toMatchObject({ opening: "0", accrued: "32700", closing: "32700" });
      expect(july.principal).toMatchObject({ opening: "0", granted: "1000000", closing: "1000000" });
      const uid = entity.entityId;
      const period = { "from-date": "2029-06-01", "to-date": "2029-07-03" };
      const { body } = await entity.client.getHarvestStatistics({ query: { uid, ...period } });
      const accrued = body.days.filter(({ interest_accrued: amount }) => amount !== "0");
      expect(accrued.map(({ day, interest_accrued: amount }) => [day, amount])).toEqual([["2029-07-03", "32700"]]);
    }
  });
});
