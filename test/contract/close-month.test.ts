import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accrueDueCredits } from "../../server/service/accrual/accrue-due-credits.ts";
import { closeDueMonths } from "../../server/service/closing/close-due-months.ts";
import { bogota, goTo, todayOf } from "../support/business-days.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks, problemOf, rawClient, refusalOf } from "../support/service-calls.ts";

let service: TestService;

/** 36.5 % a year of 365 days: 1 000 000 costs 1 000 a day. */
const TERMS = { annual_rate_bps: 3_650, day_basis: 365, after_due: "continue" } as const;

beforeAll(async () => {
  service = await aService();
  goTo(service, "2029-03-21");
});
afterAll(() => service.stop());

async function lend(entity: TestEntity, id: string, amount = 1_000_000): Promise<void> {
  await entity.client.putLoanType({ params: { loan_type: "gold" }, body: TERMS });
  const payment_date = bogota.addDays(todayOf(service), 60);
  await entity.client.addQuota({ body: { id, amount: String(amount), loan_type: "gold", payment_date } });
}

async function close(entity: TestEntity, month: string) {
  return (await entity.client.closeMonth({ body: { month } })).body;
}

/** The texts of a month's report, of all products and of one, and of its trial balance: as they come over the wire. */
async function textsOf(entity: TestEntity, month: string): Promise<string[]> {
  const raw = await rawClient(service, entity);
  const query = { year: month.slice(0, 4), month: month.slice(5) };
  const answers = await Promise.all([
    raw("getAccountingReport", { query }),
    raw("getAccountingReport", { query: { ...query, "loan-product": "gold" } }),
    raw("getAccountingReport", { query: { ...query, "loan-product": "default" } }),
    raw("getAccountingReport", { query, headers: { accept: "text/csv" } }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  return Promise.all(answers.map((answer) => answer.text()));
}

describe("close-month", () => {
  it("accrues to the end of the month, books what comes later after it, and answers the same for ever", async () => {
    const fintech = await service.anEntity();
    const [ana, luz] = [await aUser(fintech, { quota: 500 }), await aUser(fintech)];
    await lend(fintech, ana.id);
    goTo(service, 14);
    const closed = await close(fintech, "2029-03");
    expect(closed).toEqual({
      month: "2029-03",
      closed_through: "2029-03-31",
      closed_at: expect.stringMatching(/^2029-04-04T17:/),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const { body } = await fintech.client.getAccountingReport({ query: { year: "2029", month: "3" } });
    expect(body).toMatchObject({ closed: true, as_of: closed.closed_at, period: { days: 31 } });
    // Ten days of 1 000 each; those of April are April's.
    expect(body.interest).toMatchObject({ accrued: "10000", closing: "10000" });
    expect(body.principal).toMatchObject({ granted: "1000500" });

    const texts = await textsOf(fintech, "2029-03");
    await fintech.client.createTransaction({ body: { amount: 7, from_user_id: ana.id, to_user_id: luz.id } });
    await fintech.client.repayCredit({ body: { id: ana.id, amount: "500000", source: "cash" } });
    await fintech.client.putLoanType({ params: { loan_type: "silver" }, body: TERMS });
    await lend(fintech, luz.id);
    const past = { opened_on: "2029-01-15", accrued_through: "2029-03-02", due_date: "2029-02-15" };
    const imported = { id: luz.id, principal: "300", loan_type: "gold", ...past };
    await fintech.client.importCredit({ body: imported });
    expect(await textsOf(fintech, "2029-03")).toEqual(texts);
    expect(await close(fintech, "2029-03")).toEqual(closed);

    goTo(service, "2029-05-01");
    const { sha256 } = await close(fintech, "2029-04");
    expect(sha256).not.toBe(closed.sha256);
    expect(await textsOf(fintech, "2029-03")).toEqual(texts);
    const { body: april } = await fintech.client.getAccountingReport({ query: { year: "2029", month: "4" } });
    expect(april.principal).toMatchObject({ opening: body.principal.closing });
    expect(april.interest).toMatchObject({ opening: body.interest.closing });
    const open = await rawClient(service, fintech);
    const silver = { year: "2029", month: "3", "loan-product": "silver" };
    const asked = await open("getAccountingReport", { query: silver });
    expect(await refusalOf(asked)).toEqual(["invalid_request", "loan-product"]);
    await expectSoundBooks(service);
  });

  it("closes earlier months that are open before it, in order, and by itself those of every entity", async () => {
    goTo(service, "2030-01-15");
    const [first, second] = [await service.anEntity(), await service.anEntity()];
    await lend(first, (await aUser(first)).id);
    goTo(service, "2030-04-02");
    await close(first, "2030-03");
    const months = async ({ entityId }: TestEntity) =>
      (
        await service.sql<{ month: string }[]>`
        select month::text from service.month_closes where entity_id = ${entityId} order by closed_at, month`
      ).map(({ month }) => month);
    expect(await months(first)).toEqual(["2030-01-01", "2030-02-01", "2030-03-01"]);
    for (const [month, accrued] of [
      ["1", "16000"],
      ["2", "28000"],
      ["3", "31000"],
    ] as const) {
      const { body } = await first.client.getAccountingReport({ query: { year: "2030", month } });
      expect([body.closed, body.interest.accrued]).toEqual([true, accrued]);
    }
    expect(await months(second)).toEqual([]);
    const context = { ...service, time: bogota, currency: { code: "COP", numeric: "170", digits: 2 } };
    const closed = await closeDueMonths(context);
    expect(closed.map(({ entityId }) => entityId)).toContain(second.entityId);
    expect(closed.map(({ entityId }) => entityId)).not.toContain(first.entityId);
    expect(await months(second)).toEqual(["2030-01-01", "2030-02-01", "2030-03-01"]);
    expect(await closeDueMonths(context)).toEqual([]);
  });

  it("finishes what a process left half done, with the reports that it would have kept", async () => {
    const fintech = await service.anEntity();
    await lend(fintech, (await aUser(fintech)).id);
    const month = todayOf(service).slice(0, 7);
    goTo(service, 40);
    // The month is accrued and sealed, and then the process is gone.
    const { sql, ledger } = service;
    await accrueDueCredits({ sql, ledger, entityId: fintech.entityId, through: `${month}-30` });
    await sql`update service.entities set closed_through = ${`${month}-30`} where id = ${fintech.entityId}`;
    await lend(fintech, (await aUser(fintech)).id);
    const { closed_through: through } = await close(fintech, month);
    expect(through).toBe(`${month}-30`);
    const query = { year: month.slice(0, 4), month: month.slice(5) };
    const { body } = await fintech.client.getAccountingReport({ query });
    expect(body).toMatchObject({ closed: true, principal: { granted: "1000000" }, interest: { accrued: "28000" } });
  });

  it("shows nobody a closed month whose kept reports were changed", async () => {
    const fintech = await service.anEntity();
    const month = todayOf(service).slice(0, 7);
    goTo(service, 31);
    await close(fintech, month);
    await service.sql.begin(async (tx) => {
      await tx`alter table service.month_closes disable trigger month_closes_append_only`;
      await tx`update service.month_closes set reports = replace(reports::text, '0', '9')::json
        where entity_id = ${fintech.entityId}`;
      await tx`alter table service.month_closes enable trigger month_closes_append_only`;
    });
    const raw = await rawClient(service, fintech);
    const query = { year: month.slice(0, 4), month: month.slice(5) };
    const answer = await raw("getAccountingReport", { query });
    expect([answer.status, (await problemOf(answer)).code]).toEqual([500, "internal_error"]);
  });

  it("refuses, in order: what is wrong in the body, a key that was used, a month that is not over", async () => {
    const fintech = await service.anEntity();
    const raw = await rawClient(service, fintech);
    const month = todayOf(service).slice(0, 7);
    const wrong: [string, object][] = [
      ["invalid_request /month", {}],
      ["invalid_request /entity_id /month", { month: "2029-3", entity_id: fintech.entityId }],
      ["invalid_request /month", { month: "2029-13" }],
      ["invalid_request /month", { month: 3 }],
      ["invalid_request /month", { month: "2029-01" }],
      ["month_not_over", { month }],
      ["month_not_over", { month: "2999-12" }],
    ];
    for (const [code, body] of wrong) expect((await refusalOf(await raw("closeMonth", { body }))).join(" ")).toBe(code);
    goTo(service, 31);
    const headers = { "idempotency-key": "close" };
    const later = await rawClient(service, fintech);
    const answers = [
      await later("closeMonth", { body: { month }, headers }),
      await later("closeMonth", { body: { month }, headers }),
    ];
    expect(answers.map((answer) => answer.headers.get("idempotent-replayed"))).toEqual([null, "true"]);
    const [first, again] = await Promise.all(answers.map((answer) => answer.text()));
    expect(again).toBe(first);
    const reused = await later("closeMonth", { body: { month: "2999-12" }, headers });
    expect(await refusalOf(reused)).toEqual(["idempotency_key_reused"]);
  });
});
