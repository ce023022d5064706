import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../../src/client.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { NOBODY, type OperationName, type RawClient, rawClient, refusalOf, times } from "../support/service-calls.ts";

/** Longer than the span that a token repeats. */
const QUIET_SECONDS = 180;
const DAY_SECONDS = 86_400;

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

type Query = Readonly<Record<string, string | undefined>>;
type Page = Answer<readonly { readonly id?: string; readonly _id?: string }[]>;

/** Every list that can be asked for what changed, with the query that it needs besides. */
const lists: readonly (readonly [OperationName, () => Record<string, string>])[] = [
  ["transactionHistory", () => ({ "user-id": shop })],
  ["receivedPayments", () => ({ "user-id": shop })],
  ["transactionSummary", () => ({ "user-id": ana })],
  ["ledgerTransactionHistory", () => ({ "user-id": shop })],
  ["users", () => ({})],
  ["credits", () => ({})],
  ["entries", () => ({ account: shop })],
  ["entries", () => ({ account: "credits_receivable" })],
];

function ask(name: OperationName, query: Query): Promise<Page> {
  const call = fintech.client[name] as unknown as (input: { readonly query: Query }) => Promise<Page>;
  return call({ query });
}

async function pay(from: string, to: string, more: object = {}) {
  return (await fintech.client.createTransaction({ body: { amount: 1, from_user_id: from, to_user_id: to, ...more } }))
    .body;
}

/** Returns a token that repeats no earlier record. */
async function aQuietToken(name: OperationName, query: Query): Promise<string> {
  service.advance(QUIET_SECONDS);
  return (await ask(name, query)).syncToken ?? "";
}

/** Adds a record to every list. */
async function addToAll(): Promise<void> {
  await pay(ana, shop);
  await fintech.client.createLedgerTransaction({ body: { from_user_id: ana, to_user_id: shop, amount: 1 } });
  await aUser(fintech, { quota: 5 });
}

const idOf = ({ id, _id }: { readonly id?: string; readonly _id?: string }): string => id ?? _id ?? "";

describe.each(lists)("the list %s", (name, required) => {
  it("has a sync token with every answer, and gives what came since, oldest first", async () => {
    await addToAll();
    const since = await aQuietToken(name, required());
    expect(since).toMatch(/^[\w-]+$/);
    const quiet = await ask(name, { ...required(), "changed-since": since });
    expect([quiet.body, quiet.nextCursor]).toEqual([[], undefined]);
    await addToAll();
    await addToAll();
    const { body: whole } = await ask(name, required());
    const { body: news, syncToken } = await ask(name, { ...required(), "changed-since": since });
    const several = name === "transactionSummary" ? 1 : 2;
    expect(new Set(news.map(idOf)).size).toBe(name === "entries" && required().account === shop ? 4 : several);
    expect(news.map(idOf)).toEqual(
      whole
        .slice(0, new Set(news.map(idOf)).size)
        .reverse()
        .map(idOf),
    );
    service.advance(QUIET_SECONDS);
    const again = await ask(name, { ...required(), "changed-since": syncToken });
    expect(again.body.map(idOf)).toEqual(news.map(idOf));
    expect((await ask(name, { ...required(), "changed-since": again.syncToken })).body).toEqual([]);
  });

  it("goes through a long sync page by page, with the token of its first page", async () => {
    const since = await aQuietToken(name, required());
    for (const _ of times(3, () => 0)) await addToAll();
    const { body: news } = await ask(name, { ...required(), "changed-since": since });
    const pages: Page[] = [];
    let cursor: string | undefined;
    do {
      pages.push(await ask(name, { ...required(), "changed-since": since, limit: "1", cursor }));
      cursor = pages.at(-1)?.nextCursor;
      service.advance(10);
    } while (cursor !== undefined && pages.length < 20);
    expect(pages.flatMap(({ body }) => body.map(idOf))).toEqual(news.map(idOf));
    expect(new Set(pages.map(({ syncToken }) => syncToken)).size).toBe(1);
  });

  it("keeps the token of its first page through the whole list too", async () => {
    for (const _ of times(2, () => 0)) await addToAll();
    const first = await ask(name, { ...required(), limit: "1" });
    service.advance(10);
    if (first.nextCursor === undefined) return expect(name).toBe("transactionSummary");
    const second = await ask(name, { ...required(), limit: "1", cursor: first.nextCursor });
    expect(second.syncToken).toBe(first.syncToken);
    expect((await ask(name, required())).syncToken).not.toBe(first.syncToken);
  });

  it("refuses, in this order: wrong parameters, a token or cursor that is none, an unknown user", async () => {
    raw = await rawClient(service, fintech);
    const refused = async (query: Record<string, string>) =>
      refusalOf(await raw(name, { query: { ...required(), ...query } }));
    expect(await refused({ "changed-since": "" })).toEqual(["invalid_request", "changed-since"]);
    expect(await refused({ "changed-since": "A".repeat(513) })).toEqual(["invalid_request", "changed-since"]);
    const encode = (text: string) => Buffer.from(text).toString("base64url");
    const unknown: Record<string, string> = "user-id" in required() ? { "user-id": NOBODY } : {};
    for (const token of ["x", "%00", ana, encode("since/0"), encode("since/-1"), encode("since/99999999999999")]) {
      expect(await refused({ ...unknown, "changed-since": token, cursor: "x" })).toEqual(["invalid_sync_token"]);
    }
    const { nextCursor = "", syncToken = "" } = await ask(name, { ...required(), limit: "1" });
    expect(await refused({ ...unknown, "changed-since": syncToken, cursor: "x" })).toEqual(["invalid_cursor"]);
    if (nextCursor !== "") {
      expect(await refused({ "changed-since": syncToken, cursor: nextCursor })).toEqual(["invalid_cursor"]);
    }
    if ("user-id" in unknown) {
      expect(await refused({ ...unknown, "changed-since": syncToken })).toEqual(["user_not_found"]);
    }
  });

  it("takes a token for 30 days", async () => {
    const since = (await ask(name, required())).syncToken ?? "";
    service.advance(30 * DAY_SECONDS - 60);
    expect((await ask(name, { ...required(), "changed-since": since })).status).toBe(200);
    service.advance(120);
    raw = await rawClient(service, fintech);
    const query = { ...required(), "changed-since": since, cursor: "x" };
    expect(await refusalOf(await raw(name, { query }))).toEqual(["sync_token_too_old"]);
  });
});

it("a token of version 0.1.0 repeats what was recorded in the 150 seconds before it", async () => {
  const query = { "user-id": shop };
  service.advance(QUIET_SECONDS);
  const [early, late] = [await pay(ana, shop), await pay(ana, shop)];
  const token = (ms: number) => Buffer.from(`since/${Date.parse(late.created_at) + ms}`).toString("base64url");
  const since = async (ms: number) => (await ask("transactionHistory", { ...query, "changed-since": token(ms) })).body;
  expect((await since(149_000)).map(idOf)).toEqual([early.id, late.id]);
  expect(await since(151_000)).toEqual([]);
});

describe("a sync of payments", () => {
  it("gives a payment again when it changed, as it is now, to payer and payee", async () => {
    const held = await pay(ana, shop, { amount: 7, status: "pending" });
    const old = await pay(ana, shop, { amount: 8 });
    const since = await aQuietToken("transactionHistory", { "user-id": shop });
    const fresh = await pay(ana, shop, { amount: 9 });
    const settled = (await fintech.client.settleTransaction({ body: { id: held.id, status: "approved", amount: 5 } }))
      .body;
    const refund = (await fintech.client.reverseTransaction({ body: { id: old.id } })).body;
    const read = async (user: string, more: Query = {}) =>
      (await ask("transactionHistory", { "user-id": user, "changed-since": since, ...more })).body;
    const reversed = (await fintech.client.transaction({ query: { id: old.id } })).body;
    expect(reversed.status).toBe("reversed");
    expect(await read(shop)).toEqual([fresh, settled, reversed]);
    expect(await read(ana, { direction: "sent" })).toEqual([fresh, settled, reversed]);
    const all = await read(shop, { direction: "all" });
    expect(all).toHaveLength(4);
    expect(all).toEqual(expect.arrayContaining([fresh, settled, reversed, refund]));
    expect(await read(shop, { status: "approved" })).toEqual([fresh, settled]);
    expect(await read(shop, { "from-date": fresh.created_at })).toEqual([fresh]);
    const { body: received } = await ask("receivedPayments", { "user-id": shop, "changed-since": since });
    expect(received).toEqual([fresh, settled, reversed]);
    const { body: summary } = await ask("transactionSummary", { "user-id": ana, "changed-since": since });
    expect(summary.map(idOf)).toEqual([shop]);
  });

  it("gives nothing that its reader may not see", async () => {
    const other = await service.anEntity("Other");
    const foreign = await aUser(other, { quota: 10 });
    const { syncToken = "" } = await other.client.transactionHistory({ query: { "user-id": shop } });
    await pay(ana, shop);
    const hold = await pay(ana, shop, { status: "pending" });
    await fintech.client.settleTransaction({ body: { id: hold.id, status: "approved" } });
    const read = async () =>
      (await other.client.transactionHistory({ query: { "user-id": shop, "changed-since": syncToken } })).body;
    expect(await read()).toEqual([]);
    const body = { amount: 1, from_user_id: foreign.id, to_user_id: shop };
    const own = (await other.client.createTransaction({ body })).body;
    expect((await read()).map(({ id }) => id)).toEqual([own.id]);
    expect((await other.client.users({ query: { "changed-since": syncToken } })).body.map(({ id }) => id)).toEqual([
      foreign.id,
    ]);
  });
});

describe("a sync of users", () => {
  it("gives a user again when its record changed, and once however often it did", async () => {
    const [one, two] = [await aUser(fintech), await aUser(fintech)];
    const since = await aQuietToken("users", {});
    await fintech.client.updateUser({ body: { id: one.id, name: "Renamed" } });
    await fintech.client.blockUser({ body: { id: two.id } });
    await fintech.client.updateUser({ body: { id: one.id, score: 5 } });
    const { body } = await fintech.client.users({ query: { "changed-since": since } });
    expect(body.map(({ id, name, score, blocked }) => [id, name, score, blocked])).toEqual([
      [two.id, two.name, null, true],
      [one.id, "Renamed", 5, undefined],
    ]);
  });
});
