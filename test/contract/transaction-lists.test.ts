import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Transaction } from "../../src/contract/service/transactions.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { NOBODY, type RawClient, rawClient, refusalOf, times } from "../support/service-calls.ts";

const LISTS = ["transactionHistory", "receivedPayments"] as const;

let service: TestService;
let fintech: TestEntity;
let raw: RawClient;
let ana: string;
let shop: string;

beforeAll(async () => {
  service = await aService();
  fintech = await service.anEntity();
  raw = await rawClient(service, fintech);
  [ana, shop] = [(await aUser(fintech, { quota: 1_000_000 })).id, (await aUser(fintech, { quota: 1_000 })).id];
});
afterAll(() => service.stop());

async function pay(from: string, to: string, more: object = {}): Promise<Transaction> {
  const body = { amount: 1, from_user_id: from, to_user_id: to, ...more };
  return (await fintech.client.createTransaction({ body })).body;
}

const newestFirst = (left: Transaction, right: Transaction): number => (left.id < right.id ? 1 : -1);

describe("transaction-history and received-payments", () => {
  it("list what a user received, sent or both, newest by recording first", async () => {
    const old = await pay(ana, shop, { date: "2020-01-01" });
    const rejected = await pay(ana, shop, { amount: 2_000_000 });
    const sent = await pay(shop, ana);
    const qr = await fintech.client.createTransactionQr({ body: { amount: 3, to_user_id: shop } });
    const byQr = await pay(ana, shop, { amount: 3, details: { qr: qr.body.payload } });
    const history = async (query: object) =>
      (await fintech.client.transactionHistory({ query: { "user-id": shop, ...query } })).body;
    expect(await history({})).toEqual([byQr, rejected, old]);
    expect(await history({ direction: "received" })).toEqual([byQr, rejected, old]);
    expect(await history({ direction: "sent" })).toEqual([sent]);
    expect(await history({ direction: "all" })).toEqual([byQr, sent, rejected, old]);
    expect(await history({ status: "rejected" })).toEqual([rejected]);
    expect(await history({ kind: "qr" })).toEqual([byQr]);
    expect(await history({ kind: "payment", status: "approved" })).toEqual([old]);
    expect(await history({ kind: "refund" })).toEqual([]);
    const received = async (query: object) =>
      (await fintech.client.receivedPayments({ query: { "user-id": shop, ...query } })).body;
    expect(await received({})).toEqual([byQr, old]);
    expect(await received({ status: "approved", kind: "qr" })).toEqual([byQr]);
    expect(await received({ status: "rejected" })).toEqual([]);
  });

  it("take ids in capitals", async () => {
    const query = { "user-id": shop.toUpperCase() };
    expect((await fintech.client.receivedPayments({ query })).body).toHaveLength(2);
  });

  it("cut a period by recording time: a bare day to its end, date-times half-open", async () => {
    const [payer, payee] = [await aUser(fintech, { quota: 10 }), await aUser(fintech)];
    const paid = await pay(payer.id, payee.id);
    const day = new Date(Date.parse(paid.created_at) - 5 * 3_600_000).toISOString().slice(0, 10);
    const after = new Date(Date.parse(paid.created_at) + 1).toISOString();
    const count = async (from: string, to: string) => {
      const query = { "user-id": payee.id, "from-date": from, "to-date": to };
      return (await fintech.client.transactionHistory({ query })).body.length;
    };
    expect(await count(day, day)).toBe(1);
    expect(await count(paid.created_at, after)).toBe(1);
    expect(await count(day, paid.created_at)).toBe(0);
    expect(await count(after, "2900-01-01")).toBe(0);
    expect(await count("1900-01-01", "2999-12-31")).toBe(1);
  });

  it.each(LISTS)("%s refuses what it cannot understand, every fault at once", async (name) => {
    const ask = async (query: string | Record<string, string>) => refusalOf(await raw(name, { query }));
    expect(await ask({})).toEqual(["invalid_request", "user-id"]);
    expect(await ask({ "user-id": NOBODY })).toEqual(["user_not_found"]);
    expect(await ask({ "user-id": NOBODY, cursor: "bm9uZQ" })).toEqual(["invalid_cursor"]);
    const wrong = { "user-id": "x", status: "paid", kind: "", limit: "501", "from-date": "32", page: "2" };
    const places = ["from-date", "kind", "limit", "page", "status", "user-id"];
    expect(await ask(wrong)).toEqual(["invalid_request", ...places]);
    for (const limit of ["0", "-1", "1.5", "1e2", "0x10", "501", "", "٣"]) {
      expect(await ask({ "user-id": shop, limit })).toEqual(["invalid_request", "limit"]);
    }
    for (const day of ["9999-12-31", "0001-01-01", "2026-03-31T10:00+24:00", "0000-01-01T00:00:00Z"]) {
      expect(await ask({ "user-id": shop, "to-date": day })).toEqual(["invalid_request", "to-date"]);
    }
    const backward = { "user-id": shop, "from-date": "2026-04-01", "to-date": "2026-03-30" };
    expect(await ask(backward)).toEqual(["invalid_request", "to-date"]);
    expect(await ask(`user-id=${shop}&user-id=${ana}`)).toEqual(["invalid_request", "user-id"]);
    expect(await ask(`user-id=${shop}&__proto__=1&constructor=2`)).toEqual([
      "invalid_request",
      "__proto__",
      "constructor",
    ]);
    expect(await ask(`user-id=${shop}&%ff=1`)).toEqual(["invalid_request", ""]);
  });

  it.each(LISTS)("%s takes only cursors that it gave", async (name) => {
    const encode = (text: string) => Buffer.from(text).toString("base64url");
    const forged = ["x", "%00", encode("' or 1=1"), encode(`${shop}x`), encode(shop.toUpperCase()), "A".repeat(512)];
    for (const cursor of forged) {
      expect(await refusalOf(await raw(name, { query: { "user-id": shop, cursor } }))).toEqual(["invalid_cursor"]);
    }
    for (const cursor of ["", "A".repeat(513)]) {
      const refusal = await refusalOf(await raw(name, { query: { "user-id": shop, cursor } }));
      expect(refusal).toEqual(["invalid_request", "cursor"]);
    }
  });
});

describe("pages", () => {
  async function pagesOf(user: string, limit: string, between: () => Promise<unknown>): Promise<Transaction[][]> {
    const pages: Transaction[][] = [];
    let cursor: string | undefined;
    do {
      const query = { "user-id": user, direction: "all" as const, limit, cursor };
      const { body, nextCursor } = await fintech.client.transactionHistory({ query });
      pages.push(body);
      cursor = nextCursor;
      await between();
    } while (cursor !== undefined && pages.length < 100);
    return pages;
  }

  it("skip nothing and show nothing twice while new payments arrive", async () => {
    const [one, two] = [await aUser(fintech, { quota: 100 }), await aUser(fintech, { quota: 100 })];
    const made = await Promise.all(times(53, (n) => (n % 3 === 0 ? pay(two.id, one.id) : pay(one.id, two.id))));
    const arrive = () => Promise.all([pay(one.id, two.id), pay(two.id, one.id)]);
    const pages = await pagesOf(one.id, "10", arrive);
    expect(pages.map((page) => page.length)).toEqual([10, 10, 10, 10, 10, 3]);
    expect(pages.flat()).toEqual(made.sort(newestFirst).map((payment) => expect.objectContaining({ id: payment.id })));
  });

  it("link to the next with the request's own query, at the public address, and end without a link", async () => {
    const [one, two] = [await aUser(fintech, { quota: 100 }), await aUser(fintech)];
    for (const _ of times(4, () => 0)) await pay(one.id, two.id);
    const query = { "user-id": two.id, kind: "payment", limit: "2", "from-date": "2020-01-01" };
    const link = (await raw("receivedPayments", { query })).headers.get("link") ?? "";
    const [, address = ""] = /^<(http:\/\/service\.test\/received-payments\?[^>]*)>; rel="next"$/.exec(link) ?? [];
    expect(Object.fromEntries(new URL(address).searchParams)).toEqual({ ...query, cursor: expect.any(String) });
    const last = await raw("receivedPayments", { query: new URL(address).search.slice(1) });
    expect([(await last.json()).length, last.headers.get("link")]).toEqual([2, null]);
  });

  it("hold 100 unless asked for up to 500", async () => {
    const [one, two] = [await aUser(fintech, { quota: 1_000 }), await aUser(fintech)];
    await Promise.all(times(105, () => pay(one.id, two.id)));
    const page = async (limit: object) =>
      (await fintech.client.transactionHistory({ query: { "user-id": two.id, ...limit } })).body.length;
    expect([await page({}), await page({ limit: "500" }), await page({ limit: "1" })]).toEqual([100, 105, 1]);
  });
});
