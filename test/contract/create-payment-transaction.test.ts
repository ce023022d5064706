import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Transaction } from "../../src/contract/service/transactions.ts";
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

const REFERENCE = /^[0-9A-HJKMNP-TV-Z]{13}$/;
const MOST = 500;

let service: TestService;
let fintech: TestEntity;
let other: TestEntity;
let raw: RawClient;
let shop: string;
let foreign: string;

beforeAll(async () => {
  service = await aService();
  [fintech, other] = [await service.anEntity(), await service.anEntity("Other")];
  raw = await rawClient(service, fintech);
  shop = (await aUser(fintech, { name: "Café Ñandú" })).id;
  foreign = (await aUser(other, { name: "Luis" })).id;
});
afterAll(() => service.stop());

const aPayer = async (quota = 1_000) => (await aUser(fintech, { name: "Ana", quota })).id;
const to = (id: string, amount: number, more: object = {}) => ({ amount, to_user_id: id, ...more });
const payAll = (from: string, payments: readonly object[], more: object = {}) =>
  raw("createPaymentTransaction", { body: { from_user_id: from, payments, ...more } });
const quotaOf = async (id: string) => (await fintech.client.user({ query: { id } })).body.quota;

async function paidBy(response: Response | Promise<Response>): Promise<Transaction[]> {
  const answer = await response;
  expect(answer.status).toBe(201);
  return (await answer.json()) as Transaction[];
}

describe("create-payment-transaction", () => {
  it("settles every payment, in order, each with an id, a reference and a posting of its own", async () => {
    const ana = await aPayer();
    const details = { invoice: 7 };
    const names = { to_user: "cafe nandu" };
    const answer = payAll(ana, [to(shop, 100.25, { details, ...names }), to(foreign, 300), to(shop, 50)]);
    const paid = await paidBy(answer);
    const common = {
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      reference: expect.stringMatching(REFERENCE),
      kind: "batch",
      status: "approved",
      currency: "COP",
      date: paid[0]?.created_at,
      created_at: paid[0]?.created_at,
      from_user: "Ana",
      from_user_id: ana,
    };
    const toShop = { to_user: "Café Ñandú", to_user_id: shop };
    expect(paid).toEqual([
      { ...common, ...toShop, amount: 100.25, details, from_balance_after: 899.75, to_balance_after: 100.25 },
      { ...common, to_user: "Luis", to_user_id: foreign, amount: 300, details: {}, from_balance_after: 599.75 },
      { ...common, ...toShop, amount: 50, details: {}, from_balance_after: 549.75, to_balance_after: 150.25 },
    ]);
    expect(paid.map(({ id }) => id)).toEqual([...new Set(paid.map(({ id }) => id))].sort());
    expect(new Set(paid.map(({ reference }) => reference)).size).toBe(3);
    const [{ count } = {}] = await service.sql`
      select count(distinct posting_id) from service.transactions where from_user_id = ${ana}`;
    expect(count).toBe(3n);
    await expectSoundBooks(service);
  });

  it("can be looked up payment by payment, by id, by reference and in the payer's and payees' lists", async () => {
    const ana = await aPayer();
    const [first, second] = (await paidBy(payAll(ana, [to(shop, 1), to(foreign, 2)]))) as [Transaction, Transaction];
    expect((await fintech.client.transaction({ query: { id: first.id } })).body).toEqual(first);
    const { body: found } = await fintech.client.findTransactionByReference({ query: { reference: second.reference } });
    expect(found).toEqual(second);
    const sent = { "user-id": ana, direction: "sent" as const, kind: "batch" as const };
    expect((await fintech.client.transactionHistory({ query: sent })).body).toEqual([second, first]);
    const { body: received } = await other.client.receivedPayments({ query: { "user-id": foreign } });
    expect(received[0]).toMatchObject({ id: second.id, kind: "batch", to_balance_after: expect.any(Number) });
    expect(received[0]).not.toHaveProperty("from_balance_after");
  });

  it("takes one payment, and a balance to the last cent", async () => {
    const ana = await aPayer(10);
    expect(await paidBy(payAll(ana, [to(shop, 10)]))).toMatchObject([{ status: "approved", from_balance_after: 0 }]);
    const eva = await aPayer(10);
    const paid = await paidBy(payAll(eva.toUpperCase(), [to(shop.toUpperCase(), 9.99), to(shop, 0.01)]));
    expect(paid).toMatchObject([
      { from_user_id: eva, to_user_id: shop },
      { status: "approved", from_balance_after: 0 },
    ]);
  });

  it("takes a payment code in an item's details for ordinary data: the QR stays payable", async () => {
    const { body: qr } = await fintech.client.createTransactionQr({ body: { amount: 10, to_user_id: shop } });
    const [paid] = await paidBy(payAll(await aPayer(), [to(shop, 10, { details: { qr: qr.payload } })]));
    expect(paid).toMatchObject({ kind: "batch", status: "approved", details: { qr: qr.payload } });
    const { body } = await fintech.client.transactionQr({ query: { reference: qr.reference ?? "" } });
    expect(body.state).toBe("unpaid");
  });
});

describe("a batch of which one payment cannot settle", () => {
  it("moves nothing when the sum exceeds the balance; the first that is not covered carries the reason", async () => {
    const ana = await aPayer(100);
    const before = await quotaOf(shop);
    const rejected = await paidBy(payAll(ana, [to(shop, 60), to(foreign, 40), to(shop, 0.01), to(shop, 1)]));
    expect(rejected.map(({ status, reason }) => [status, reason])).toEqual([
      ["rejected", undefined],
      ["rejected", undefined],
      ["rejected", "insufficient_balance"],
      ["rejected", undefined],
    ]);
    for (const payment of rejected) {
      expect(payment.reference).toMatch(REFERENCE);
      expect(payment).not.toHaveProperty("from_balance_after");
      expect(payment).not.toHaveProperty("to_balance_after");
    }
    expect([await quotaOf(ana), await quotaOf(shop)]).toEqual([100, before]);
    const { body: kept } = await fintech.client.transaction({ query: { id: rejected[2]?.id ?? "" } });
    expect(kept).toEqual(rejected[2]);
  });

  it("moves nothing when a payee would have too much, counting what the batch gave it before", async () => {
    const ana = await aPayer(100);
    const nearly = (await aUser(fintech, { quota: 9_999_999_999_989.99 })).id;
    const rejected = await paidBy(payAll(ana, [to(nearly, 6), to(shop, 1), to(nearly, 4.01)]));
    expect(rejected.map(({ reason }) => reason)).toEqual([undefined, undefined, "balance_limit"]);
    expect([await quotaOf(ana), await quotaOf(nearly)]).toEqual([100, 9_999_999_999_989.99]);
    expect((await paidBy(payAll(ana, [to(nearly, 6), to(nearly, 4)]))).map(({ status }) => status)).toEqual([
      "approved",
      "approved",
    ]);
  });

  it("moves nothing with 500 payments and one bad one among them, wherever it stands", async () => {
    const ana = await aPayer(MOST * 2);
    const full = (await aUser(fintech, { quota: 9_999_999_999_999.99 })).id;
    for (const bad of [0, 250, MOST - 1]) {
      const before = await standing(service);
      const rejected = await paidBy(
        payAll(
          ana,
          times(MOST, (index) => to(index === bad ? full : shop, 1)),
        ),
      );
      expect(rejected.flatMap(({ reason }, index) => (reason === undefined ? [] : [[index, reason]]))).toEqual([
        [bad, "balance_limit"],
      ]);
      expect(new Set(rejected.map(({ status }) => status))).toEqual(new Set(["rejected"]));
      const after = await standing(service);
      const { counts } = before as { counts: { transactions: bigint; statuses: bigint } };
      const kept = { transactions: counts.transactions + 500n, statuses: counts.statuses + 500n };
      expect(after).toEqual({ ...(before as object), counts: { ...counts, ...kept } });
    }
    const paid = await paidBy(
      payAll(
        ana,
        times(MOST, () => to(shop, 2)),
      ),
    );
    expect(new Set(paid.map(({ status }) => status))).toEqual(new Set(["approved"]));
    expect([paid.length, await quotaOf(ana)]).toEqual([MOST, 0]);
    await expectSoundBooks(service);
  });
});

describe("create-payment-transaction refuses", () => {
  it("what is wrong in it: every fault, with its place", async () => {
    const ana = await aPayer();
    const before = await standing(service);
    const refused: readonly (readonly [readonly object[], readonly string[]])[] = [
      [[], ["/payments"]],
      [times(MOST + 1, () => to(shop, 1)), ["/payments"]],
      [
        [to(shop, 0), to("x", 0.001)],
        ["/payments/0/amount", "/payments/1/amount", "/payments/1/to_user_id"],
      ],
      [
        [to(shop, 1), to(ana, 1), to(ana.toUpperCase(), 1)],
        ["/payments/1/to_user_id", "/payments/2/to_user_id"],
      ],
      [[{}], ["/payments/0/amount", "/payments/0/to_user_id"]],
      [[to(shop, 1, { details: [] })], ["/payments/0/details"]],
      [
        [to(shop, 1, { details: { a: "\u0000" } }), []],
        ["/payments/0/details", "/payments/1/amount", "/payments/1/to_user_id"],
      ],
      [[to(shop, 1, { to_user: " " })], ["/payments/0/to_user"]],
    ];
    for (const [payments, places] of refused) {
      expect(await refusalOf(await payAll(ana, payments))).toEqual(["invalid_request", ...places]);
    }
    expect(await refusalOf(await raw("createPaymentTransaction", { body: { from_user_id: ana } }))).toEqual([
      "invalid_request",
      "/payments",
    ]);
    expect(await standing(service)).toEqual(before);
  });

  it("unknown fields, also of an item, all of them, and also under a prototype's name", async () => {
    const ana = await aPayer();
    const item = `{"amount":1,"to_user_id":"${shop}","id":1,"date":"2026-01-01","toString":1,"__proto__":{}}`;
    const items = `[{"amount":1,"to_user_id":"${shop}"},${item}]`;
    const text = `{"from_user_id":"${ana}","status":"approved","payments":${items}}`;
    const { errors = [] } = await problemOf(await raw("createPaymentTransaction", { text }));
    const unknown = "is not known here: check the spelling or leave it out";
    expect(Object.fromEntries(errors.map(({ pointer, detail }) => [pointer, detail]))).toEqual({
      "/status": unknown,
      "/payments/1/id": "is assigned by the service: leave it out",
      "/payments/1/date": unknown,
      "/payments/1/toString": unknown,
      "/payments/1/__proto__": unknown,
    });
    expect(errors).toHaveLength(5);
  });

  it("more than 256 KiB, details included", async () => {
    const details = { text: "x".repeat(2_000) };
    const response = await payAll(
      await aPayer(),
      times(140, () => to(shop, 1, { details })),
    );
    expect(await refusalOf(response)).toEqual(["payload_too_large"]);
  });

  it("in this order: faults, unknown users, another's payer, names; and keeps nothing of it", async () => {
    const ana = await aPayer();
    const theirs = (await aUser(other, { quota: 10 })).id;
    const before = await standing(service);
    const wrong = [to(shop, 1, { to_user: "Nobody" }), to(NOBODY, 99_999), to(shop, 1), to(NOBODY, 1)];
    const named = { from_user: "Nobody" };
    const faults = await payAll(NOBODY, [...wrong, to(shop, -1)], named);
    expect(await refusalOf(faults)).toEqual(["invalid_request", "/payments/4/amount"]);
    expect(await refusalOf(await payAll(NOBODY, [to(shop, 1)], named))).toEqual(["user_not_found"]);
    expect(await refusalOf(await payAll(theirs, wrong, named))).toEqual([
      "user_not_found",
      "/payments/1/to_user_id",
      "/payments/3/to_user_id",
    ]);
    const known = [to(shop, 1, { to_user: "Nobody" }), to(foreign, 99_999), to(foreign, 1, { to_user: "Café" })];
    expect(await refusalOf(await payAll(theirs, known, named))).toEqual(["payer_not_yours"]);
    expect(await refusalOf(await payAll(ana, known, named))).toEqual([
      "name_mismatch",
      "/from_user",
      "/payments/0/to_user",
      "/payments/2/to_user",
    ]);
    expect(await standing(service)).toEqual(before);
  });
});

describe("create-payment-transaction with an idempotency key", () => {
  it("pays a batch once, also a rejected one that could be paid by now", async () => {
    const ana = await aPayer(10);
    const body = { from_user_id: ana, payments: [to(shop, 6, { details: { n: 1 } }), to(foreign, 6)] };
    const send = () => raw("createPaymentTransaction", { body, headers: { "idempotency-key": "batch" } });
    const first = await (await send()).text();
    expect(JSON.parse(first)).toMatchObject([{ status: "rejected" }, { reason: "insufficient_balance" }]);
    const today = new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 10);
    const more = { id: ana, amount: "90", loan_type: "deposit", payment_date: today };
    await fintech.client.addQuota({ body: more });
    const copy = await send();
    expect([copy.status, copy.headers.get("idempotent-replayed"), await copy.text()]).toEqual([201, "true", first]);
    expect(await quotaOf(ana)).toBe(100);
    const again = await raw("createPaymentTransaction", { body, headers: { "idempotency-key": "batch again" } });
    expect(await again.json()).toMatchObject([{ status: "approved" }, { status: "approved" }]);
    expect(await quotaOf(ana)).toBe(88);
  });
});
