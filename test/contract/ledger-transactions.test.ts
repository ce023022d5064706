import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LedgerTransaction } from "../../src/contract/service/ledger.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import {
  expectSoundBooks,
  NOBODY,
  problemOf,
  type RawClient,
  rawClient,
  refusalOf,
  standing,
  times,
} from "../support/service-calls.ts";

const HOUR_MS = 3_600_000;

let service: TestService;
let fintech: TestEntity;
let other: TestEntity;
let raw: RawClient;
let ana: string;
let luz: string;
let theirs: string;

beforeAll(async () => {
  service = await aService();
  [fintech, other] = [await service.anEntity(), await service.anEntity("Other")];
  raw = await rawClient(service, fintech);
  [ana, luz] = [(await aUser(fintech, { quota: 100_000 })).id, (await aUser(fintech)).id];
  theirs = (await aUser(other, { quota: 500 })).id;
});
afterAll(async () => {
  await expectSoundBooks(service);
  await service.stop();
});

const ask = (changes: object = {}) =>
  raw("createLedgerTransaction", { body: { amount: 10, from_user_id: ana, to_user_id: luz, ...changes } });

async function transfer(entity: TestEntity, from: string, to: string, amount = 1): Promise<LedgerTransaction> {
  const body = { amount, from_user_id: from, to_user_id: to };
  const [made, ...more] = (await entity.client.createLedgerTransaction({ body })).body;
  expect(more).toEqual([]);
  return made as LedgerTransaction;
}

const quotaOf = async (id: string, entity = fintech) => (await entity.client.user({ query: { id } })).body.quota;

describe("create-ledger-transaction", () => {
  it("approves what the sender's balance covers: 201, an array of the one transfer, and the money moves", async () => {
    const details = { n: 1.25, qr: "0002010005co.qp is plain data here", deep: [{ a: null }] };
    const body = { amount: 40_000, date: "2026-01-31", details, from_user_id: ana, to_user_id: luz };
    const { status, body: made } = await fintech.client.createLedgerTransaction({ body });
    expect(status).toBe(201);
    expect(made).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        reference: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{13}$/),
        status: "approved",
        from_user_id: ana,
        to_user_id: luz,
        amount: 40_000,
        date: "2026-01-31T05:00:00.000Z",
        created_at: expect.stringMatching(/Z$/),
        details,
      },
    ]);
    expect([await quotaOf(ana), await quotaOf(luz)]).toEqual([60_000, 40_000]);
  });

  it("rejects by the available balance alone: still 201, with the reason, and nothing moves", async () => {
    const poor = (await aUser(fintech, { quota: 99.99 })).id;
    expect(await transfer(fintech, poor, luz, 100)).toMatchObject({
      status: "rejected",
      reason: "insufficient_balance",
    });
    expect(await quotaOf(poor)).toBe(99.99);
    const hold = { amount: 50, from_user_id: poor, to_user_id: luz, status: "pending" as const };
    await fintech.client.createTransaction({ body: hold });
    expect(await transfer(fintech, poor, luz, 50)).toMatchObject({ reason: "insufficient_balance" });
    expect(await transfer(fintech, poor, luz, 49)).toMatchObject({ status: "approved" });
    const full = await aUser(fintech, { quota: 9_999_999_999_999.99 });
    expect(await transfer(fintech, luz, full.id)).toMatchObject({ status: "rejected", reason: "balance_limit" });
  });

  it("crosses entities with due-to and due-from", async () => {
    const before = await quotaOf(theirs, other);
    expect(await transfer(fintech, ana, theirs, 7)).toMatchObject({ status: "approved" });
    expect(await quotaOf(theirs, other)).toBe((before ?? 0) + 7);
    await expectSoundBooks(service);
  });

  it("is no payment: in no list, summary or look-up of transactions", async () => {
    const [one, two] = [await aUser(fintech, { quota: 5 }), await aUser(fintech)];
    const { id, reference } = await transfer(fintech, one.id, two.id);
    const all = { "user-id": one.id, direction: "all" as const };
    expect((await fintech.client.transactionHistory({ query: all })).body).toEqual([]);
    expect((await fintech.client.receivedPayments({ query: { "user-id": two.id } })).body).toEqual([]);
    expect((await fintech.client.transactionSummary({ query: { "user-id": one.id } })).body).toEqual([]);
    expect(await refusalOf(await raw("transaction", { query: { id } }))).toEqual(["transaction_not_found"]);
    const found = await raw("findTransactionByReference", { query: { reference } });
    expect(await refusalOf(found)).toEqual(["transaction_not_found"]);
  });

  it("takes ids in capitals and a date up to a day ahead; without one it is now", async () => {
    const ids = { from_user_id: ana.toUpperCase(), to_user_id: luz.toUpperCase() };
    const [made] = await (await ask(ids)).json();
    expect(made).toMatchObject({ from_user_id: ana, to_user_id: luz, date: made.created_at });
    expect((await ask({ date: new Date(Date.now() + 23 * HOUR_MS).toISOString() })).status).toBe(201);
    expect(await refusalOf(await ask({ to_user_id: ana.toUpperCase() }))).toEqual(["invalid_request", "/to_user_id"]);
  });

  it.each([0, -1, 0.5, 1.01, 10_000_000_000_000, 1e21, "10", null])("refuses the amount %j", async (amount) => {
    const { code, errors } = await problemOf(await ask({ amount }));
    expect([code, ...new Set(errors?.map(({ pointer }) => pointer))]).toEqual(["invalid_request", "/amount"]);
  });

  it("takes the largest amount there is, and rejects it", async () => {
    expect(await (await ask({ amount: 9_999_999_999_999 })).json()).toMatchObject([{ reason: "insufficient_balance" }]);
  });

  it("refuses, in this order: faults of the body, unknown users, another's sender; and keeps nothing", async () => {
    const before = await standing(service);
    const date = new Date(Date.now() + 25 * HOUR_MS).toISOString();
    expect(await refusalOf(await ask({ from_user_id: NOBODY, to_user_id: NOBODY, date }))).toEqual([
      "invalid_request",
      "/date",
      "/to_user_id",
    ]);
    const fields = { id: "1", reference: "2", status: "approved", from_user: "Ana" };
    expect(await refusalOf(await ask(fields))).toEqual([
      "invalid_request",
      ...Object.keys(fields)
        .map((f) => `/${f}`)
        .sort(),
    ]);
    expect(await refusalOf(await ask({ from_user_id: NOBODY }))).toEqual(["user_not_found"]);
    expect(await refusalOf(await ask({ from_user_id: theirs, to_user_id: NOBODY }))).toEqual(["user_not_found"]);
    expect(await refusalOf(await ask({ from_user_id: theirs, amount: 9_999_999 }))).toEqual(["payer_not_yours"]);
    expect(await standing(service)).toEqual(before);
  });

  it("keeps a rejected transfer under its idempotency key: not tried again when there is money", async () => {
    const poor = await aUser(fintech);
    const body = { amount: 5, from_user_id: poor.id, to_user_id: luz };
    const send = () => raw("createLedgerTransaction", { body, headers: { "idempotency-key": "a transfer" } });
    const first = await (await send()).json();
    expect(first).toMatchObject([{ status: "rejected" }]);
    await transfer(fintech, ana, poor.id, 50);
    const copy = await send();
    expect([copy.headers.get("idempotent-replayed"), await copy.json()]).toEqual(["true", first]);
    expect(await quotaOf(poor.id)).toBe(50);
  });
});

describe("ledger-transaction-history", () => {
  const history = async (user: string, entity = fintech, query: object = {}) =>
    (await entity.client.ledgerTransactionHistory({ query: { "user-id": user, ...query } })).body;

  it("lists what a user sent and received, approved and rejected, newest first, and no payments", async () => {
    const [one, two] = [await aUser(fintech, { quota: 10 }), await aUser(fintech)];
    const sent = await transfer(fintech, one.id, two.id, 4);
    const rejected = await transfer(fintech, one.id, two.id, 40);
    const body = { amount: 1, from_user_id: one.id, to_user_id: two.id };
    await fintech.client.createTransaction({ body });
    const received = await transfer(fintech, two.id, one.id, 2);
    expect(await history(one.id)).toEqual([received, rejected, sent]);
    expect(await history(two.id.toUpperCase())).toEqual([received, rejected, sent]);
    expect(await history((await aUser(fintech)).id)).toEqual([]);
  });

  it("shows an entity what it made or where it created a party, and nothing else", async () => {
    const [one, two] = [await aUser(fintech, { quota: 50 }), await aUser(other, { quota: 50 })];
    const own = await transfer(fintech, one.id, luz);
    const across = await transfer(fintech, one.id, two.id);
    const back = await transfer(other, two.id, one.id);
    expect(await history(one.id)).toEqual([back, across, own]);
    expect(await history(one.id, other)).toEqual([back, across]);
    expect(await history(two.id, await service.anEntity("Third"))).toEqual([]);
  });

  it("comes in pages that skip nothing and show nothing twice while new transfers arrive", async () => {
    const [one, two] = [await aUser(fintech, { quota: 200 }), await aUser(fintech, { quota: 200 })];
    const made = await Promise.all(
      times(23, (n) => (n % 3 === 0 ? transfer(fintech, two.id, one.id) : transfer(fintech, one.id, two.id))),
    );
    const pages: LedgerTransaction[][] = [];
    let cursor: string | undefined;
    do {
      const query = { "user-id": one.id, limit: "5", cursor };
      const { body, nextCursor } = await fintech.client.ledgerTransactionHistory({ query });
      pages.push(body);
      cursor = nextCursor;
      await Promise.all([transfer(fintech, one.id, two.id), transfer(fintech, two.id, one.id)]);
    } while (cursor !== undefined && pages.length < 10);
    expect(pages.map((page) => page.length)).toEqual([5, 5, 5, 5, 3]);
    const newestFirst = made.sort((left, right) => (left.id < right.id ? 1 : -1));
    expect(pages.flat()).toEqual(newestFirst);
  });

  it("refuses, in this order: wrong parameters, a cursor that it did not give, an unknown user", async () => {
    const refused = async (query: Record<string, string>) =>
      refusalOf(await raw("ledgerTransactionHistory", { query }));
    expect(await refused({})).toEqual(["invalid_request", "user-id"]);
    const wrong = { "user-id": "x", limit: "0", cursor: "", direction: "all" };
    expect(await refused(wrong)).toEqual(["invalid_request", ...Object.keys(wrong).sort()]);
    expect(await refused({ "user-id": NOBODY, cursor: "bm9uZQ" })).toEqual(["invalid_cursor"]);
    expect(await refused({ "user-id": NOBODY })).toEqual(["user_not_found"]);
  });
});
