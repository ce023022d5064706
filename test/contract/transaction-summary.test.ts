import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { foldPayeeTotals } from "../../server/service/transactions/fold-payee-totals.ts";
import { summaryStatement } from "../../server/service/transactions/transaction-summary.ts";
import type { SummaryItem, Transaction } from "../../src/contract/service/transactions.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { NOBODY, type RawClient, rawClient, refusalOf, times } from "../support/service-calls.ts";

const HOUR_MS = 3_600_000;

let service: TestService;
let fintech: TestEntity;
let other: TestEntity;
let raw: RawClient;

beforeAll(async () => {
  service = await aService();
  [fintech, other] = [await service.anEntity(), await service.anEntity("Other")];
  raw = await rawClient(service, fintech);
});
afterAll(() => service.stop());

async function pay(entity: TestEntity, from: string, to: string, amount: number): Promise<Transaction> {
  return (await entity.client.createTransaction({ body: { amount, from_user_id: from, to_user_id: to } })).body;
}

/** Adds every payment to the totals of its payee, whatever the clock says. */
function fold(): Promise<void> {
  const changesFrom = async () => new Date(service.clock().getTime() + HOUR_MS);
  return foldPayeeTotals({ sql: service.sql, changesFrom });
}

/** Reads the same before and after the payments are folded. */
async function summary(user: string, entity = fintech): Promise<readonly SummaryItem[]> {
  const read = async () => (await entity.client.transactionSummary({ query: { "user-id": user } })).body;
  const body = await read();
  await fold();
  expect(await read()).toEqual(body);
  return body;
}

/** A payment as the summary shows it. */
function inSummary({ id, reference, kind, status, reason, amount, date, created_at }: Transaction): object {
  return { id, reference, kind, status, ...(reason === undefined ? {} : { reason }), amount, date, created_at };
}

describe("transaction-summary", () => {
  it("has one item per receiver that the user has paid, newest receiver first, sums as exact decimals", async () => {
    const payer = await aUser(fintech, { quota: 1_000 });
    const [shop, friend] = [await aUser(fintech, { name: "Café" }), await aUser(other, { name: "Luz", quota: 50 })];
    const first = await pay(fintech, payer.id, shop.id, 0.1);
    await pay(fintech, payer.id, friend.id, 5);
    const refused = await pay(fintech, payer.id, shop.id, 9_999);
    const { body: qr } = await fintech.client.createTransactionQr({ body: { amount: 100, to_user_id: shop.id } });
    const body = { amount: 100, from_user_id: payer.id, to_user_id: shop.id, details: { qr: qr.payload } };
    const byQr = (await fintech.client.createTransaction({ body })).body;
    const last = await pay(fintech, payer.id, shop.id, 0.2);
    await pay(other, friend.id, payer.id, 2);
    const [to, too, ...more] = await summary(payer.id.toUpperCase());
    expect(more).toEqual([]);
    expect(to).toMatchObject({ _id: friend.id, to_user: "Luz", total_amount: "5", transactions: { count: 1 } });
    expect(too).toEqual({
      _id: shop.id,
      to_user: "Café",
      total_amount: "100.3",
      transactions: {
        count: 4,
        first_date: first.created_at,
        last_date: last.created_at,
        by_status: { pending: 0, approved: 3, rejected: 1, reversed: 0 },
        latest: [last, byQr, refused, first].map(inSummary),
      },
    });
  });

  it("leaves out who was never paid, and keeps the latest ten of who was paid more often", async () => {
    const [payer, often, never] = [await aUser(fintech, { quota: 90 }), await aUser(fintech), await aUser(fintech)];
    await pay(fintech, payer.id, never.id, 91);
    expect(await summary(payer.id)).toEqual([]);
    const made: Transaction[] = [];
    for (const amount of times(13, (index) => index + 1)) made.push(await pay(fintech, payer.id, often.id, amount));
    const [item, ...more] = await summary(payer.id);
    expect(more).toEqual([]);
    // 1 + … + 12 is 78; the thirteenth is more than the 12 that are left.
    expect(item).toMatchObject({ total_amount: "78", transactions: { by_status: { approved: 12, rejected: 1 } } });
    expect(item?.transactions.count).toBe(13);
    expect(item?.transactions.latest).toEqual(made.slice(-10).reverse().map(inSummary));
  });

  it("takes a reversed payment off the total, and no refund for a payment", async () => {
    const [payer, shop] = [await aUser(fintech, { quota: 90 }), await aUser(fintech)];
    const paid = [await pay(fintech, payer.id, shop.id, 30), await pay(fintech, payer.id, shop.id, 5)];
    const refund = (payment: Transaction | undefined, amount?: number) =>
      fintech.client.reverseTransaction({ body: { id: payment?.id ?? "", amount } });
    await refund(paid[0]);
    await refund(paid[1], 1.5);
    const by_status = { pending: 0, approved: 1, rejected: 0, reversed: 1 };
    expect(await summary(payer.id)).toMatchObject([{ total_amount: "3.5", transactions: { count: 2, by_status } }]);
    expect(await summary(shop.id)).toEqual([]);
  });

  it("sums only what the asking entity may see", async () => {
    const [payer, ours, theirs] = [await aUser(fintech, { quota: 90 }), await aUser(fintech), await aUser(other)];
    await pay(fintech, payer.id, ours.id, 30);
    await pay(fintech, payer.id, theirs.id, 7);
    expect((await summary(payer.id)).map((item) => item.total_amount)).toEqual(["7", "30"]);
    expect((await summary(payer.id, other)).map((item) => item._id)).toEqual([theirs.id]);
    expect(await summary(payer.id, await service.anEntity("Third"))).toEqual([]);
  });

  it("holds sums beyond what a JSON number carries", async () => {
    const [one, two] = [await aUser(fintech, { quota: 9_999_999_999_999.99 }), await aUser(fintech)];
    for (const _ of times(2, () => 0)) {
      await pay(fintech, one.id, two.id, 9_999_999_999_999.99);
      await pay(fintech, two.id, one.id, 9_999_999_999_999.99);
    }
    expect((await summary(one.id))[0]?.total_amount).toBe("19999999999999.98");
  });

  it("comes in pages that skip no receiver and show none twice while payments arrive", async () => {
    const payer = await aUser(fintech, { quota: 1_000 });
    const shops = await Promise.all(times(7, () => aUser(fintech)));
    for (const shop of shops) await pay(fintech, payer.id, shop.id, 1);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { "user-id": payer.id, limit: "3", cursor };
      const { body, nextCursor } = await fintech.client.transactionSummary({ query });
      seen.push(...body.map((item) => item._id));
      cursor = nextCursor;
      const newcomer = await aUser(fintech);
      for (const shop of [...shops, newcomer]) await pay(fintech, payer.id, shop.id, 1);
    } while (cursor !== undefined && seen.length < 20);
    expect(seen).toEqual(shops.map((shop) => shop.id).reverse());
  });

  it("refuses, in this order: wrong parameters, a cursor that it did not give, an unknown user", async () => {
    const refused = async (query: Record<string, string>) => refusalOf(await raw("transactionSummary", { query }));
    expect(await refused({})).toEqual(["invalid_request", "user-id"]);
    const wrong = { "user-id": "x", limit: "501", cursor: "", status: "approved" };
    expect(await refused(wrong)).toEqual(["invalid_request", ...Object.keys(wrong).sort()]);
    expect(await refused({ "user-id": NOBODY, cursor: "bm9uZQ" })).toEqual(["invalid_cursor"]);
    expect(await refused({ "user-id": NOBODY })).toEqual(["user_not_found"]);
  });

  it("counts a hold as pending until it is settled, and then for what was settled", async () => {
    const [payer, shop] = [await aUser(fintech, { quota: 90 }), await aUser(fintech)];
    const body = { amount: 30, from_user_id: payer.id, to_user_id: shop.id, status: "pending" as const };
    const holds = [await fintech.client.createTransaction({ body }), await fintech.client.createTransaction({ body })];
    expect(await summary(payer.id)).toEqual([]);
    const [settled, released] = holds.map((made) => made.body.id) as [string, string];
    await fintech.client.settleTransaction({ body: { id: settled, status: "approved", amount: 12.5 } });
    const { pending, ...others } = { pending: 1, approved: 1, rejected: 0, reversed: 0 };
    const counts = async () =>
      (await summary(payer.id)).map((item) => [item.total_amount, item.transactions.by_status]);
    expect(await counts()).toEqual([["12.5", { pending, ...others }]]);
    await fintech.client.settleTransaction({ body: { id: released, status: "rejected" } });
    expect(await counts()).toEqual([["12.5", { ...others, pending: 0, rejected: 1 }]]);
  });

  it("costs what its receivers cost, however many payments were made to each", async () => {
    const [payer, shop] = [await aUser(fintech, { quota: 9 }), await aUser(fintech)];
    const paid = await pay(fintech, payer.id, shop.id, 1);
    await service.sql`
      insert into service.transactions
      select (json_populate_record(t, json_build_object('id', gen_random_uuid(), 'reference', n))).*
      from service.transactions t, generate_series(1, 5000) n where t.id = ${paid.id}`;
    await service.sql`update service.payee_folds set through_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff'`;
    await service.sql`analyze service.transactions`;
    const who = { userId: payer.id, creatorId: fintech.entityId, viewerId: fintech.entityId };
    const statement = summaryStatement(service.sql, who, { limit: 100, before: null, after: null });
    const lines = await service.sql<{ "QUERY PLAN": string }[]>`explain (analyze, timing off) ${statement}`;
    const plan = lines.map((line) => line["QUERY PLAN"]).join("\n");
    expect(plan).not.toMatch(/Seq Scan on transactions/);
    expect(Math.max(...[...plan.matchAll(/actual rows=([\d.]+)/g)].map(([, rows]) => Number(rows)))).toBeLessThan(20);
  });
});
