import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openToLenders } from "../support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks, NOBODY, type RawClient, rawClient, refusalOf, standing } from "../support/service-calls.ts";

const DAY_MS = 86_400_000;
const REFERENCE = /^[0-9A-HJKMNP-TV-Z]{13}$/;

let service: TestService;
let fintech: TestEntity;
let other: TestEntity;
let raw: RawClient;

/** A day in Bogotá, which keeps UTC−5 all year. */
function day(fromToday: number): string {
  return new Date(Date.now() - 5 * 3_600_000 + fromToday * DAY_MS).toISOString().slice(0, 10);
}

beforeAll(async () => {
  service = await aService();
  [fintech, other] = [await service.anEntity(), await service.anEntity("Other")];
  await openToLenders([fintech, other]);
  raw = await rawClient(service, fintech);
});
afterAll(() => service.stop());

describe("add-quota", () => {
  it("opens a credit of type default that is due on the payment date", async () => {
    const ana = await aUser(fintech, { name: "Ana" });
    const body = { id: ana.id, amount: "500000.50", loan_type: "default", payment_date: day(30) };
    const { body: answer, status } = await fintech.client.addQuota({ body });
    expect(status).toBe(200);
    expect(answer).toEqual({
      message: "500000.5 COP added to the quota of Ana.",
      response: expect.stringMatching(REFERENCE),
    });
    expect((await fintech.client.user({ query: { id: ana.id } })).body.quota).toBe(500_000.5);
    const credits = await service.sql`
      select c.loan_type, c.principal, c.outstanding, c.due_date::text, p.reference, p.kind, a.kind as debited
      from service.credits c join service.postings p on p.id = c.posting_id
      join service.entries e on e.posting_id = p.id and e.amount < 0 join service.accounts a on a.id = e.account_id
      where c.user_id = ${ana.id}`;
    expect(credits.map((row) => ({ ...row }))).toEqual([
      {
        loan_type: "default",
        principal: 50_000_050n,
        outstanding: 50_000_050n,
        due_date: day(30),
        reference: answer.response,
        kind: "credit",
        debited: "credits_receivable",
      },
    ]);
  });

  it("takes in a deposit against cash, and opens no credit", async () => {
    const ana = await aUser(fintech);
    const body = { nit: ana.nit, amount: "20", loan_type: "deposit", payment_date: day(0) };
    const { body: answer } = await fintech.client.addQuota({ body });
    const rows = await service.sql`
      select a.kind, e.amount from service.postings p join service.entries e on e.posting_id = p.id
      join service.accounts a on a.id = e.account_id where p.reference = ${answer.response} order by e.amount`;
    expect(rows.map(({ kind, amount }) => [kind, amount])).toEqual([
      ["cash_clearing", -2_000n],
      ["user_quota", 2_000n],
    ]);
    expect(await service.sql`select 1 from service.credits where user_id = ${ana.id}`).toHaveLength(0);
  });

  it("finds the user by id, by nit in any spelling, or by both when they agree", async () => {
    const ana = await aUser(fintech);
    const terms = { amount: "1", loan_type: "default", payment_date: day(0), financial_entity_id: fintech.entityId };
    const dotted = `${ana.nit.slice(0, 2)}.${ana.nit.slice(2)}`;
    for (const who of [{ id: ana.id }, { nit: dotted }, { id: ana.id.toUpperCase(), nit: dotted }]) {
      await fintech.client.addQuota({ body: { ...terms, ...who } });
    }
    expect((await fintech.client.user({ query: { id: ana.id } })).body.quota).toBe(3);
  });

  it("by another entity: its receivable, the creator's liability, and what one owes the other", async () => {
    const ana = await aUser(fintech);
    const body = { id: ana.id, amount: "70", loan_type: "default", payment_date: day(1) };
    const { body: answer } = await other.client.addQuota({ body });
    const rows = await service.sql`
      select a.kind, a.entity_id, a.counterparty_id, e.amount from service.postings p
      join service.entries e on e.posting_id = p.id join service.accounts a on a.id = e.account_id
      where p.reference = ${answer.response} order by a.kind`;
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { kind: "credits_receivable", entity_id: other.entityId, counterparty_id: null, amount: -7_000n },
      { kind: "due_from", entity_id: fintech.entityId, counterparty_id: other.entityId, amount: -7_000n },
      { kind: "due_to", entity_id: other.entityId, counterparty_id: fintech.entityId, amount: 7_000n },
      { kind: "user_quota", entity_id: fintech.entityId, counterparty_id: null, amount: 7_000n },
    ]);
    await expectSoundBooks(service);
  });

  it("counts the payment date in the business time zone", async () => {
    const ana = await aUser(fintech);
    const body = { id: ana.id, amount: "1", loan_type: "default", payment_date: day(-1) };
    expect(await refusalOf(await raw("addQuota", { body }))).toEqual(["invalid_request", "/payment_date"]);
  });

  it("refuses to take a balance past the largest that is kept, and moves nothing", async () => {
    const ana = await aUser(fintech, { quota: 9_999_999_999_999 });
    const before = await standing(service);
    const grant = (amount: string) =>
      raw("addQuota", { body: { id: ana.id, amount, loan_type: "default", payment_date: day(0) } });
    expect(await refusalOf(await grant("1"))).toEqual(["balance_limit"]);
    expect(await standing(service)).toEqual(before);
    expect((await grant("0.99")).status).toBe(200);
    expect((await fintech.client.user({ query: { id: ana.id } })).body.quota).toBe(9_999_999_999_999.99);
  });
});

describe("add-quota refuses", () => {
  const proper = { id: NOBODY, amount: "10", loan_type: "default", payment_date: "2900-01-01" };
  const cases: readonly (readonly [string, object, ...string[]])[] = [
    ["neither id nor nit", { id: undefined }, "invalid_request", ""],
    ["an amount that is a number", { amount: 10 }, "invalid_request", "/amount"],
    ["zero", { amount: "0.00" }, "invalid_request", "/amount"],
    ["a negative amount", { amount: "-1" }, "invalid_request", "/amount"],
    ["three decimals", { amount: "0.001" }, "invalid_request", "/amount"],
    ["16 digits", { amount: "1234567890123456" }, "invalid_request", "/amount"],
    ["more than is kept", { amount: "10000000000000" }, "invalid_request", "/amount"],
    ["an exponent", { amount: "1e3" }, "invalid_request", "/amount"],
    ["NaN", { amount: "NaN" }, "invalid_request", "/amount"],
    ["no loan type", { loan_type: undefined }, "invalid_request", "/loan_type"],
    ["an unknown loan type", { loan_type: "micro" }, "invalid_request", "/loan_type"],
    ["yesterday", { payment_date: "2020-01-01" }, "invalid_request", "/payment_date"],
    ["a deposit of another day", { loan_type: "deposit" }, "invalid_request", "/payment_date"],
    [
      "an unknown loan type in the past",
      { loan_type: "x", payment_date: "2020-01-01" },
      "invalid_request",
      "/loan_type",
      "/payment_date",
    ],
    ["a day that is not", { payment_date: "2900-02-30" }, "invalid_request", "/payment_date"],
    ["a date-time", { payment_date: "2900-02-03T00:00" }, "invalid_request", "/payment_date"],
    ["a day beyond the calendar", { payment_date: "9999-12-31" }, "invalid_request", "/payment_date"],
    ["another entity before an unknown user", { financial_entity_id: NOBODY }, "entity_not_yours"],
    ["an id that nobody has", {}, "user_not_found"],
    ["a nit that nobody has", { id: undefined, nit: "404" }, "user_not_found"],
  ];
  it.each(cases.map(([law, change, ...refusal]) => ({ law, change, refusal })))("$law", async ({ change, refusal }) => {
    const before = await standing(service);
    expect(await refusalOf(await raw("addQuota", { body: { ...proper, ...change } }))).toEqual(refusal);
    expect(await standing(service)).toEqual(before);
  });

  it("an id and a nit of two users", async () => {
    const [ana, eva] = [await aUser(fintech), await aUser(fintech)];
    const body = { ...proper, id: ana.id, nit: eva.nit };
    expect(await refusalOf(await raw("addQuota", { body }))).toEqual(["invalid_request", "/nit"]);
  });
});
