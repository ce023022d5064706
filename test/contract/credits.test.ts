import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  accrueToday,
  aLoanType,
  businessDay,
  creditById,
  creditsOf,
  lend,
  openToLenders,
  passDays,
} from "../support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { NOBODY, rawClient, refusalOf } from "../support/service-calls.ts";

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

describe("credits", () => {
  it("tell everything of a credit", async () => {
    const ana = await aUser(fintech, { name: "Ana" });
    const body = { id: ana.id, amount: "1000.50", loan_type: "micro", payment_date: inDays(30) };
    const { response } = (await fintech.client.addQuota({ body })).body;
    const openedOn = inDays(0);
    const [credit, ...others] = await creditsOf(fintech, ana.id);
    expect(others).toEqual([]);
    expect(credit).toEqual({
      id: expect.any(String),
      reference: response,
      user_id: ana.id,
      user: "Ana",
      loan_type: "micro",
      terms: { annual_rate_bps: 3_650, day_basis: 365, after_due: "continue", arrear_after: 0, default_after: 90 },
      state: "open",
      principal: 1_000.5,
      outstanding: 1_000.5,
      accrued_interest: 0,
      unpaid_interest: 0,
      paid_principal: 0,
      paid_interest: 0,
      written_off_principal: 0,
      written_off_interest: 0,
      recovered: 0,
      opened_on: openedOn,
      due_date: inDays(30),
      closed_on: null,
      imported: false,
      days_past_due: 0,
      bucket: "current",
      suggested_status: "active",
      created_at: expect.stringMatching(/Z$/),
    });
  });

  it("have the interest of every day up to today, whether the daily run has been or not", async () => {
    const ana = await aUser(fintech);
    const { id } = await lend(fintech, ana.id, "1000", { payment_date: inDays(1) });
    passDays(service, 3);
    const before = await creditById(fintech, id);
    expect(before).toMatchObject({ accrued_interest: 3, unpaid_interest: 3 });
    await accrueToday(service);
    expect(await creditById(fintech, id)).toEqual(before);
  });

  it("are a day past due on the day after the due date, in the business time zone; and in buckets", async () => {
    const ana = await aUser(fintech);
    const { id } = await lend(fintech, ana.id, "10", { loan_type: "default", payment_date: inDays(0) });
    const lateness = async (days: number) => {
      passDays(service, days);
      const { days_past_due, bucket, suggested_status } = await creditById(fintech, id);
      return [days_past_due, bucket, suggested_status];
    };
    expect(await lateness(0)).toEqual([0, "current", "active"]);
    expect(await lateness(1)).toEqual([1, "1-30", "arrear"]);
    expect(await lateness(29)).toEqual([30, "1-30", "arrear"]);
    expect(await lateness(1)).toEqual([31, "31-60", "arrear"]);
    expect(await lateness(59)).toEqual([90, "61-90", "arrear"]);
    expect(await lateness(1)).toEqual([91, "91-180", "default"]);
    expect(await lateness(90)).toEqual([181, "181-360", "default"]);
    expect(await lateness(180)).toEqual([361, "over-360", "default"]);
  });

  it("suggest a status by the thresholds of their own terms", async () => {
    await aLoanType(fintech, "patient", { arrear_after: 10, default_after: 20 });
    const ana = await aUser(fintech);
    const { id } = await lend(fintech, ana.id, "10", { loan_type: "patient", payment_date: inDays(0) });
    const statuses: unknown[] = [];
    for (const days of [10, 1, 9, 1]) {
      passDays(service, days);
      statuses.push((await creditById(fintech, id)).suggested_status);
    }
    expect(statuses).toEqual(["active", "arrear", "arrear", "default"]);
  });

  it("are narrowed by user, loan product, state and bucket, and by all of them together", async () => {
    const entity = await service.anEntity();
    await aLoanType(entity);
    const [ana, eva] = [await aUser(entity), await aUser(entity)];
    const old = await lend(entity, ana.id, "1", { payment_date: inDays(0) });
    const older = await lend(entity, eva.id, "2", { payment_date: inDays(0) });
    passDays(service, 40);
    const late = await lend(entity, ana.id, "3", { loan_type: "default", payment_date: inDays(0) });
    passDays(service, 5);
    const fresh = await lend(entity, ana.id, "4", { payment_date: inDays(0) });
    const paid = await lend(entity, ana.id, "5", { payment_date: inDays(0) });
    const body = { id: ana.id, credit_id: paid.id, amount: "5", source: "cash" } as const;
    await entity.client.repayCredit({ body });
    const undated = await aUser(entity, { quota: 6 });
    const [opening] = await creditsOf(entity, undated.id);
    const ids = async (query: Record<string, string>) =>
      (await entity.client.credits({ query: query as Parameters<typeof entity.client.credits>[0]["query"] })).body.map(
        ({ id }) => id,
      );
    expect(await ids({})).toEqual([opening?.id, paid.id, fresh.id, late.id, older.id, old.id]);
    expect(await ids({ "user-id": ana.id })).toEqual([paid.id, fresh.id, late.id, old.id]);
    expect(await ids({ "loan-product": "default" })).toEqual([opening?.id, late.id]);
    expect(await ids({ "loan-product": "none" })).toEqual([]);
    expect(await ids({ status: "closed" })).toEqual([paid.id]);
    expect(await ids({ bucket: "current" })).toEqual([opening?.id, fresh.id]);
    expect(await ids({ bucket: "1-30" })).toEqual([late.id]);
    expect(await ids({ bucket: "31-60" })).toEqual([older.id, old.id]);
    expect(await ids({ bucket: "over-360" })).toEqual([]);
    expect(await ids({ bucket: "31-60", "user-id": ana.id, "loan-product": "micro", status: "open" })).toEqual([
      old.id,
    ]);
    expect(await ids({ bucket: "current", status: "closed" })).toEqual([]);
    passDays(service, 400);
    expect(await ids({ bucket: "over-360" })).toEqual([fresh.id, late.id, older.id, old.id]);
  });

  it("come in pages, newest first, nothing skipped or shown twice while new ones are opened", async () => {
    const entity = await service.anEntity();
    const ana = await aUser(entity, { quota: 1 });
    const add = (amount: string) =>
      entity.client.addQuota({ body: { id: ana.id, amount, loan_type: "default", payment_date: inDays(0) } });
    for (const amount of ["2", "3", "4", "5"]) await add(amount);
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: "2", ...(cursor === undefined ? {} : { cursor }) };
      const page = await entity.client.credits({ query });
      seen.push(...page.body.map(({ principal }) => principal));
      cursor = page.nextCursor;
      await add("99");
    } while (cursor !== undefined);
    expect(seen).toEqual([5, 4, 3, 2, 1]);
  });

  it("can be asked for what was opened or changed since, oldest change first", async () => {
    const entity = await service.anEntity();
    const [ana, eva] = [await aUser(entity, { quota: 10 }), await aUser(entity, { quota: 20 })];
    // A token reaches back a minute or two, in case a commit was slow.
    service.advance(600);
    const first = await entity.client.credits({ query: {} });
    const since = first.headers.get("sync-token") ?? "";
    expect(first.body.map(({ user_id }) => user_id)).toEqual([eva.id, ana.id]);
    const added = { id: eva.id, amount: "5", loan_type: "default", payment_date: inDays(0) };
    await entity.client.addQuota({ body: added });
    await entity.client.repayCredit({ body: { id: ana.id, amount: "4", source: "cash" } });
    const { body } = await entity.client.credits({ query: { "changed-since": since } });
    expect(body.map(({ user_id, outstanding }) => [user_id, outstanding])).toEqual([
      [eva.id, 5],
      [ana.id, 6],
    ]);
  });

  it("are an entity's own: another's are never shown, also of its own user", async () => {
    const ana = await aUser(fintech, { quota: 10 });
    const theirs = await lend(other, ana.id, "7", { payment_date: inDays(0) });
    expect((await creditsOf(fintech, ana.id)).map(({ principal }) => principal)).toEqual([10]);
    expect(await creditsOf(other, ana.id)).toEqual([theirs]);
    expect((await other.client.credits({ query: {} })).body.map(({ id }) => id)).toContain(theirs.id);
  });
});

describe("the suggested status of a user", () => {
  const suggested = async (entity: TestEntity, id: string) =>
    (await entity.client.user({ query: { id } })).body.suggested_status;

  it("is that of the worst open credit that the creator gave, beside the status that it set", async () => {
    const ana = await aUser(fintech);
    expect(await suggested(fintech, ana.id)).toBe("active");
    expect(await suggested(other, ana.id)).toBeUndefined();
    const old = await lend(fintech, ana.id, "10", { loan_type: "default", payment_date: inDays(0) });
    await lend(fintech, ana.id, "10", { loan_type: "default", payment_date: inDays(300) });
    await lend(other, ana.id, "10", { payment_date: inDays(90) });
    passDays(service, 91);
    expect([await suggested(fintech, ana.id), await suggested(other, ana.id)]).toEqual(["default", undefined]);
    expect((await fintech.client.user({ query: { id: ana.id } })).body.status).toBe("active");
    const body = { id: ana.id, credit_id: old.id, amount: "10", source: "cash" } as const;
    await fintech.client.repayCredit({ body });
    expect(await suggested(fintech, ana.id)).toBe("active");
  });
});

describe("credits refuse, in order", () => {
  const cases: readonly (readonly [string, Record<string, string>, ...string[]])[] = [
    ["an unknown parameter", { state: "open" }, "invalid_request", "state"],
    [
      "a bucket, a status, a user and a limit that are none",
      { bucket: "1-31", status: "late", "user-id": "7", limit: "0" },
      "invalid_request",
      "bucket",
      "limit",
      "status",
      "user-id",
    ],
    ["an empty loan product", { "loan-product": "" }, "invalid_request", "loan-product"],
    ["a token of no list, before a wrong cursor", { "changed-since": "x", cursor: "x" }, "invalid_sync_token"],
    ["a cursor of no list, before an unknown user", { cursor: "x", "user-id": NOBODY }, "invalid_cursor"],
    ["an unknown user", { "user-id": NOBODY }, "user_not_found"],
  ];
  it.each(cases.map(([law, query, ...refusal]) => ({ law, query, refusal })))("$law", async ({ query, refusal }) => {
    expect(await refusalOf(await (await rawClient(service, fintech))("credits", { query }))).toEqual(refusal);
  });
});
