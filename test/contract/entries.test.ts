import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Entry } from "../../src/contract/service/books.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { NOBODY, type RawClient, rawClient, refusalOf } from "../support/service-calls.ts";

const DAY_SECONDS = 86_400;

let service: TestService;
let one: TestEntity;
let two: TestEntity;
let raw: RawClient;
let payer: string;
let payee: string;

async function pay(entity: TestEntity, from: string, to: string, amount: number) {
  return (await entity.client.createTransaction({ body: { amount, from_user_id: from, to_user_id: to } })).body;
}

beforeAll(async () => {
  service = await aService();
  [one, two] = [await service.anEntity("One"), await service.anEntity("Two")];
  raw = await rawClient(service, one);
  [payer, payee] = [(await aUser(one, { quota: 1_000 })).id, (await aUser(two)).id];
});
afterAll(() => service.stop());

async function entriesOf(entity: TestEntity, account: string, more: object = {}): Promise<Entry[]> {
  return (await entity.client.entries({ query: { account, ...more } })).body;
}

const brief = ({ kind, side, amount }: Entry) => `${kind} ${side} ${amount}`;

describe("entries", () => {
  it("of a user tell what was debited and credited, and the balance after each", async () => {
    const sent = await pay(one, payer, payee, 250.5);
    const back = await pay(two, payee, payer, 50);
    const listed = await entriesOf(one, payer);
    expect(listed.map((each) => [brief(each), each.balance_after])).toEqual([
      ["transaction credit 50", 799.5],
      ["transaction debit 250.5", 749.5],
      ["credit credit 1000", 1000],
    ]);
    const day = new Date(Date.parse(back.created_at) - 5 * 3_600_000).toISOString().slice(0, 10);
    expect(listed[0]).toEqual({
      id: `${payer}.3`,
      account: "user_quota",
      user_id: payer,
      posting_id: expect.any(String),
      reference: back.reference,
      kind: "transaction",
      day,
      side: "credit",
      amount: 50,
      balance_after: 799.5,
      created_at: back.created_at,
    });
    expect(listed[1]?.reference).toBe(sent.reference);
    expect(await entriesOf(one, payer.toUpperCase())).toEqual(listed);
  });

  it("of an account of the books name the counterparty, and have no balance", async () => {
    expect((await entriesOf(one, "credits_receivable")).map(brief)).toEqual(["credit debit 1000"]);
    const [due] = await entriesOf(one, "due_to");
    expect(due).toMatchObject({ account: "due_to", counterparty_id: two.entityId, side: "credit", amount: 250.5 });
    expect(due).not.toHaveProperty("balance_after");
    expect((await entriesOf(two, "due_from")).map(brief)).toEqual(["transaction debit 250.5"]);
    expect(await entriesOf(one, "losses")).toEqual([]);
    expect(await entriesOf(one, "due_to", { "counterparty-id": two.entityId })).toEqual([due]);
    expect(await entriesOf(one, "due_to", { "counterparty-id": NOBODY })).toEqual([]);
    expect(await entriesOf(one, payer, { "counterparty-id": two.entityId })).toEqual([]);
  });

  it("of an account come to its totals", async () => {
    const { body } = await one.client.accounts({ query: {} });
    for (const { account, debit, credit } of body.filter((each) => each.account !== "user_quota")) {
      const listed = await entriesOf(one, account);
      const sum = (wanted: string) => listed.reduce((all, { side, amount }) => all + (side === wanted ? amount : 0), 0);
      expect([account, String(sum("debit")), String(sum("credit"))]).toEqual([account, debit, credit]);
    }
  });

  it("go page by page and neither skip nor repeat while more are posted", async () => {
    const [from, to] = [await aUser(one, { quota: 100 }), await aUser(two)];
    for (let amount = 1; amount <= 7; amount++) await pay(one, from.id, to.id, amount);
    for (const account of [from.id, "due_to"]) {
      const before = await entriesOf(one, account);
      const pages: Entry[][] = [];
      let cursor: string | undefined;
      do {
        const page = await one.client.entries({ query: { account, limit: "3", cursor } });
        pages.push(page.body);
        cursor = page.nextCursor;
        await pay(one, from.id, to.id, 1);
      } while (cursor !== undefined && pages.length < 20);
      expect(pages.flat()).toEqual(before);
      expect(pages.slice(0, -1).every((page) => page.length === 3)).toBe(true);
    }
  });

  it("are refused, in order of precedence", async () => {
    const ask = async (query: Record<string, string>) => refusalOf(await raw("entries", { query }));
    expect(await ask({})).toEqual(["invalid_request", "account"]);
    const wrong = { account: "x", "counterparty-id": "7", "from-date": "x", "to-date": "x", limit: "501", page: "1" };
    expect(await ask(wrong)).toEqual([
      "invalid_request",
      ...["account", "counterparty-id", "from-date", "limit", "page", "to-date"],
    ]);
    for (const account of ["user_quota", "Losses", "due-to", "losses ", ""]) {
      expect(await ask({ account })).toEqual(["invalid_request", "account"]);
    }
    const bad = { "changed-since": "x", cursor: "x" };
    const backward = { "from-date": "2026-02-01", "to-date": "2026-01-01" };
    expect(await ask({ account: NOBODY, ...bad, ...backward })).toEqual(["invalid_request", "to-date"]);
    expect(await ask({ account: NOBODY, ...bad })).toEqual(["invalid_sync_token"]);
    expect(await ask({ account: NOBODY, cursor: "x" })).toEqual(["invalid_cursor"]);
    expect(await ask({ account: "losses", cursor: "x" })).toEqual(["invalid_cursor"]);
    expect(await ask({ account: NOBODY })).toEqual(["user_not_found"]);
    expect(await ask({ account: payee })).toEqual(["user_not_yours"]);
  });

  it("refuse a cursor of their shape that holds no ids", async () => {
    const dashes = "-".repeat(36);
    for (const place of [
      `${dashes}/${dashes}/1`,
      `${payer}/${dashes}/1`,
      `${payer}/${payer}x/1`,
      `${payer}/${payer}/-1`,
    ]) {
      const cursor = Buffer.from(`<${service.clock().getTime()}/${place}`, "latin1").toString("base64url");
      expect(await refusalOf(await raw("entries", { query: { account: "due_to", cursor } }))).toEqual([
        "invalid_cursor",
      ]);
    }
  });

  it("take only cursors of the same account's list", async () => {
    const { nextCursor: ofUser = "" } = await one.client.entries({ query: { account: payer, limit: "1" } });
    const { nextCursor: ofBooks = "" } = await one.client.entries({ query: { account: "due_to", limit: "1" } });
    const ask = async (account: string, cursor: string) =>
      refusalOf(await raw("entries", { query: { account, cursor } }));
    expect(await ask("due_to", ofUser)).toEqual(["invalid_cursor"]);
    expect(await ask(payer, ofBooks)).toEqual(["invalid_cursor"]);
    const huge = Buffer.from(`<${Date.now()}/${"9".repeat(19)}`).toString("base64url");
    expect(await ask(payer, huge)).toEqual(["invalid_cursor"]);
  });

  it("of another entity's books are not there", async () => {
    const stranger = await service.anEntity();
    for (const account of ["credits_receivable", "due_to", "due_from", "cash_clearing"]) {
      expect(await entriesOf(stranger, account)).toEqual([]);
    }
    expect(await entriesOf(two, "credits_receivable")).toEqual([]);
  });

  it("of long ago are found by day", async () => {
    const own = await service.anEntity();
    const user = await aUser(own, { quota: 5 });
    const { body } = await own.client.entries({ query: { account: user.id } });
    const day = body[0]?.day ?? "";
    service.advance(DAY_SECONDS * 0.01);
    expect(await entriesOf(own, user.id, { "from-date": day, "to-date": day })).toEqual(body);
    expect(await entriesOf(own, "credits_receivable", { "from-date": day, "to-date": day })).toHaveLength(1);
  });

  it("are cut by their time of recording, also far back in a long account", async () => {
    const own = await service.anEntity();
    const [from, to] = [await aUser(own, { quota: 1_000 }), await aUser(own)];
    const paid = [];
    for (let n = 1; n <= 12; n++) {
      paid.push(await pay(own, from.id, to.id, n));
      service.advance(3 * 60);
    }
    const [third, sixth] = [paid[2], paid[5]];
    const period = { "from-date": third?.created_at, "to-date": sixth?.created_at };
    expect((await entriesOf(own, from.id, period)).map(({ amount }) => amount)).toEqual([5, 4, 3]);
    expect((await entriesOf(own, to.id, { "from-date": sixth?.created_at })).map(({ amount }) => amount)).toEqual([
      ...[12, 11, 10, 9, 8, 7, 6],
    ]);
    expect(await entriesOf(own, from.id, { "to-date": "1999-12-31" })).toEqual([]);
    expect(await entriesOf(own, "credits_receivable", { "to-date": "1999-12-31" })).toEqual([]);
    expect(await entriesOf(own, "credits_receivable", { "from-date": "1999-12-31" })).toHaveLength(1);
  });

  it("give those recorded since, oldest first, of a user and of the books", async () => {
    const own = await service.anEntity();
    const [from, to] = [await aUser(own, { quota: 1_000 }), await aUser(two)];
    const other = await aUser(own);
    await pay(own, from.id, other.id, 1);
    await pay(own, from.id, to.id, 2);
    for (const account of [from.id, "due_to"]) {
      service.advance(600);
      const { syncToken = "" } = await own.client.entries({ query: { account } });
      for (const amount of [3, 4, 5]) await pay(own, from.id, to.id, amount);
      const first = await own.client.entries({ query: { account, "changed-since": syncToken, limit: "2" } });
      const query = { account, "changed-since": syncToken, limit: "2", cursor: first.nextCursor };
      const second = await own.client.entries({ query });
      expect([...first.body, ...second.body].map(({ amount }) => amount)).toEqual([3, 4, 5]);
      expect([second.nextCursor, second.syncToken]).toEqual([undefined, first.syncToken]);
      service.advance(600);
      const later = await own.client.entries({ query: { account, "changed-since": first.syncToken ?? "" } });
      expect(later.body.map(({ amount }) => amount)).toEqual([3, 4, 5]);
      const quiet = await own.client.entries({ query: { account, "changed-since": later.syncToken ?? "" } });
      expect(quiet.body).toEqual([]);
    }
  });
});
