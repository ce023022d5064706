import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { emitExpiredQrEvents } from "../../server/service/webhooks/emit-expired-qrs.ts";
import { eventBody } from "../../server/service/webhooks/event-body.ts";
import { forgetEvents } from "../../server/service/webhooks/forget-events.ts";
import { businessTime } from "../../src/business-time.ts";
import { EVENT_TYPES } from "../../src/contract/service/webhooks.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { NOBODY, times } from "../support/service-calls.ts";
import { aReceiver, type Received, type WebhookReceiver } from "../support/webhook-receiver.ts";

const DAY_SECONDS = 86_400;
const within = { timeout: 10_000 };

let service: TestService;
let fintech: TestEntity;
let other: TestEntity;
let third: TestEntity;
let ours: WebhookReceiver;
let theirs: WebhookReceiver;
let nobodys: WebhookReceiver;
let ana: string;
let shop: string;

async function listen(entity: TestEntity): Promise<WebhookReceiver> {
  const receiver = await aReceiver();
  await entity.client.putWebhook({ params: { name: "all" }, body: { url: receiver.url } });
  return receiver;
}

beforeAll(async () => {
  service = await aService({ webhooks: { allowed: ["127.0.0.0/8"], pollMs: 50 } });
  [fintech, other, third] = [await service.anEntity(), await service.anEntity("Other"), await service.anEntity("3")];
  [ours, theirs, nobodys] = [await listen(fintech), await listen(other), await listen(third)];
  ana = (await aUser(fintech, { name: "Ana", quota: 100_000 })).id;
  shop = (await aUser(other, { name: "Café" })).id;
  await settled(ours, 1);
  await settled(theirs, 1);
});
afterAll(async () => {
  for (const receiver of [ours, theirs, nobodys]) await receiver.down();
  await service.stop();
});
beforeEach(async () => {
  for (const receiver of [ours, theirs]) receiver.received.splice(0);
});

/** Waits until a receiver has as many messages, and makes sure that no more come. */
async function settled(receiver: WebhookReceiver, count: number): Promise<readonly Received[]> {
  await vi.waitFor(() => expect(receiver.received).toHaveLength(count), within);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(receiver.received).toHaveLength(count);
  return [...receiver.received].sort((left, right) => (left.id < right.id ? -1 : 1));
}
const typesOf = (messages: readonly Received[]) => messages.map(({ event }) => event.type);
const dataOf = (messages: readonly Received[], type: string) =>
  messages.find(({ event }) => event.type === type)?.event.data;

const payment = (more: object = {}) => ({ amount: 10, from_user_id: ana, to_user_id: shop, ...more });

describe("a payment between two entities' users", () => {
  it("is told to both, each as the API answers it, and to no third", async () => {
    const { body: made } = await fintech.client.createTransaction({ body: payment({ details: { order: 7.1 } }) });
    const [mine, shops] = [await settled(ours, 1), await settled(theirs, 1)];
    expect(typesOf([...mine, ...shops])).toEqual(["transaction.created", "transaction.created"]);
    expect(dataOf(mine, "transaction.created")).toEqual(made);
    const seen = (await other.client.transaction({ query: { id: made.id } })).body;
    expect(dataOf(shops, "transaction.created")).toEqual(seen);
    expect(seen).not.toHaveProperty("from_balance_after");
    expect(mine[0]?.id).not.toBe(shops[0]?.id);
    expect(mine[0]?.event.timestamp).toBe(made.created_at);
    expect(nobodys.received).toEqual([]);
  });

  it("that is rejected is told to its payer's creator alone; one that is refused is not told at all", async () => {
    await fintech.client.createTransaction({ body: payment({ amount: 9_000_000 }) });
    expect(dataOf(await settled(ours, 1), "transaction.created")).toMatchObject({ reason: "insufficient_balance" });
    await expect(fintech.client.createTransaction({ body: payment({ to_user_id: NOBODY }) })).rejects.toThrow();
    await fintech.client.createTransaction({ body: payment({ status: "rejected" }) });
    const payments = times(3, () => ({ amount: 9_000_000, to_user_id: shop }));
    await fintech.client.createPaymentTransaction({ body: { from_user_id: ana, payments } });
    await fintech.client.createLedgerTransaction({ body: payment({ amount: 9_000_000 }) });
    await settled(ours, 6);
    await settled(theirs, 0);
  });

  it("is told once, however often it is sent with its idempotency key", async () => {
    const send = () => fintech.client.createTransaction({ body: payment() }, { idempotencyKey: "one payment" });
    await Promise.all(times(5, send));
    await settled(ours, 1);
  });

  it("in a batch is told payment by payment", async () => {
    const payments = times(4, () => ({ amount: 1, to_user_id: shop }));
    await fintech.client.createPaymentTransaction({ body: { from_user_id: ana, payments } });
    expect(typesOf(await settled(theirs, 4))).toEqual(Array(4).fill("transaction.created"));
  });

  it("that is held is told when it is made, settled, released, and refunded", async () => {
    const hold = async () => (await fintech.client.createTransaction({ body: payment({ status: "pending" }) })).body;
    const [one, two] = [await hold(), await hold()];
    const { body: paid } = await fintech.client.settleTransaction({
      body: { id: one.id, status: "approved", amount: 4 },
    });
    await other.client.settleTransaction({ body: { id: two.id, status: "rejected" } });
    await other.client.reverseTransaction({ body: { id: one.id } });
    const [mine, shops] = [await settled(ours, 6), await settled(theirs, 6)];
    expect(typesOf(shops)).toEqual(typesOf(mine));
    expect(typesOf(mine)).toEqual([
      ...["transaction.created", "transaction.created", "transaction.settled", "transaction.rejected"],
      ...["transaction.created", "transaction.reversed"],
    ]);
    expect(dataOf(mine, "transaction.settled")).toEqual(paid);
    expect(dataOf(mine, "transaction.rejected")).toMatchObject({ id: two.id, reason: "released" });
    expect(dataOf(mine, "transaction.reversed")).toEqual(
      (await fintech.client.transaction({ query: { id: one.id } })).body,
    );
  });
});

describe("a payment code", () => {
  const aCode = async (expires_in = 900) =>
    (await other.client.createTransactionQr({ body: { amount: 5, to_user_id: shop, expires_in } })).body;

  it("that is paid is told beside its payment, to who made it and to the payer's creator", async () => {
    const { payload, reference } = await aCode();
    const { body: made } = await fintech.client.createTransaction({
      body: payment({ amount: 5, details: { qr: payload } }),
    });
    for (const receiver of [ours, theirs]) {
      const told = await settled(receiver, 2);
      expect(typesOf(told).sort()).toEqual(["qr.paid", "transaction.created"]);
      expect(dataOf(told, "qr.paid")).toMatchObject({ reference, state: "paid", transaction_id: made.id, amount: 5 });
    }
  });

  it("that comes to nothing is told to who made it, and not to the payee's creator", async () => {
    const { body } = await fintech.client.createTransactionQr({ body: { amount: 5, to_user_id: shop } });
    await fintech.client.cancelTransactionQr({ body: { reference: body.reference ?? "" } });
    expect(typesOf(await settled(ours, 1))).toEqual(["qr.cancelled"]);
    await settled(theirs, 0);
  });

  it("that is cancelled is told once", async () => {
    const { reference = "" } = await aCode();
    const { body } = await other.client.cancelTransactionQr({ body: { reference } });
    await other.client.cancelTransactionQr({ body: { reference } });
    const { expires_in, ...told } = dataOf(await settled(theirs, 1), "qr.cancelled") ?? {};
    expect(body).toMatchObject(told);
    expect(typeof expires_in).toBe("number");
  });

  it("that expires unpaid is told once, by whichever of several processes; a paid or cancelled one never", async () => {
    const words = eventBody({ code: "COP", numeric: "170", digits: 2 }, businessTime("America/Bogota"));
    const another = () => emitExpiredQrEvents({ ...service, newId: () => v7(), eventBody: words });
    await another();
    const codes = await Promise.all(times(520, () => aCode(300)));
    const [paid, cancelled, one] = codes;
    await fintech.client.createTransaction({ body: payment({ amount: 5, details: { qr: paid?.payload } }) });
    await other.client.cancelTransactionQr({ body: { reference: cancelled?.reference ?? "" } });
    await settled(theirs, 3);
    service.advance(120);
    expect(await another()).toBe(0);
    service.advance(300);
    // The service itself reports expired codes too.
    await Promise.all(times(6, another));
    expect(await another()).toBe(0);
    const told = await settled(theirs, 521);
    const expired = told.filter(({ event }) => event.type === "qr.expired").map(({ event }) => event.data.reference);
    expect(expired.sort()).toEqual(
      codes
        .slice(2)
        .map(({ reference }) => reference)
        .sort(),
    );
    const mine = told.find(({ event }) => event.data.reference === one?.reference)?.event.data;
    expect(mine).toMatchObject({ state: "expired", expires_in: 0, amount: 5, to_user_id: shop });
  });
});

describe("what else is told", () => {
  it("of transfers, quota, credits and users, to whom it concerns", async () => {
    const { client } = fintech;
    const day = (
      await service.sql<{ day: string }[]>`select (now() at time zone 'America/Bogota')::date + 9 as day`
    )[0];
    const { body: transfers } = await client.createLedgerTransaction({
      body: { amount: 3, from_user_id: ana, to_user_id: shop },
    });
    expect(dataOf(await settled(theirs, 1), "ledger.transfer")).toEqual(transfers[0]);
    const { id } = await aUser(fintech, { name: "Luz" });
    const grant = { id, amount: "100", loan_type: "default", payment_date: day?.day ?? "" };
    const { body: added } = await client.addQuota({ body: grant });
    const credits = async () => (await client.credits({ query: { "user-id": id } })).body;
    await client.repayCredit({ body: { id, amount: "10", source: "quota" } });
    const [repaid] = await credits();
    await client.dischargeQuota({ body: { id, amount: "5" } });
    const before = (await client.addQuota({ body: { ...grant, amount: "7" } })).body.response;
    const wrong = (await credits()).find(({ reference }) => reference === before);
    await client.cancelCredit({ body: { credit_id: wrong?.id ?? "" } });
    await client.writeOffCredit({ body: { credit_id: repaid?.id ?? "" } });
    await client.updateUser({ body: { id, name: "Luz Marina" } });
    await client.blockUser({ body: { id } });
    const told = await settled(ours, 11);
    expect(typesOf(told)).toEqual([
      ...["ledger.transfer", "user.created", "quota.added", "credit.repaid", "quota.discharged", "credit.repaid"],
      ...["quota.added", "credit.cancelled", "credit.written_off", "user.updated", "user.blocked"],
    ]);
    expect(dataOf(told, "quota.added")).toEqual({ reference: added.response, user_id: id, user: "Luz", amount: 100 });
    const { user: _, ...credit } = repaid ?? {};
    expect(dataOf(told, "credit.repaid")).toMatchObject({ amount: 10, credits: [credit] });
    expect(dataOf(told, "user.blocked")).toMatchObject({ id, name: "Luz Marina", blocked: true });
    expect(JSON.stringify(told)).not.toContain("apn_token");
    expect(nobodys.received).toEqual([]);
  });
});

describe("what one entity owes another", () => {
  it("is told to both when it comes near its limit, and when it is settled", async () => {
    await fintech.client.createTransaction({ body: payment() });
    for (const receiver of [ours, theirs]) {
      await settled(receiver, 1);
      receiver.received.splice(0);
    }
    const params = { entity_id: fintech.entityId };
    const owed = (await other.client.counterpartyLimits({})).body.find(
      (each) => each.counterparty_id === fintech.entityId,
    );
    const limit = owed?.exposure ?? "";
    await other.client.putCounterpartyLimit({ params, body: { limit } });
    await other.client.recordSettlement({ body: { debtor_id: fintech.entityId, amount: "10" } });
    await other.client.putCounterpartyLimit({ params, body: { limit: null } });
    for (const receiver of [ours, theirs]) {
      const messages = await settled(receiver, 2);
      const parties = { creditor_id: other.entityId, debtor_id: fintech.entityId };
      expect(dataOf(messages, "counterparty.limit_near")).toMatchObject({
        ...parties,
        exposure: limit,
        available: "0",
      });
      expect(dataOf(messages, "counterparty.settled")).toMatchObject({ ...parties, amount: "10" });
    }
  });
});

describe("events that nobody wants any more", () => {
  it("are not kept in the first place when no webhook of the entity wants their type", async () => {
    const quiet = await service.anEntity("Quiet");
    const receiver = await aReceiver();
    const put = { url: receiver.url, event_types: ["qr.paid" as const] };
    await quiet.client.putWebhook({ params: { name: "codes" }, body: put });
    await aUser(quiet);
    expect(await service.sql`select from service.events where entity_id = ${quiet.entityId}`).toHaveLength(0);
    await receiver.down();
  });

  it("are forgotten after 30 days with their deliveries, and webhooks that were disabled as long", async () => {
    await third.client.putWebhook({ params: { name: "all" }, body: { url: nobodys.url, enabled: false } });
    const count = async () =>
      (await service.sql`select from service.events`).length +
      (await service.sql`select from service.webhook_deliveries`).length;
    expect(await count()).toBeGreaterThan(0);
    const now = service.clock().getTime();
    expect(await forgetEvents(service.sql, new Date(now + 29 * DAY_SECONDS * 1000))).toBe(0);
    expect(await forgetEvents(service.sql, new Date(now + 31 * DAY_SECONDS * 1000))).toBeGreaterThan(500);
    expect(await count()).toBe(0);
    const names = await service.sql<{ entity_id: string }[]>`
      select entity_id from service.webhook_endpoints where entity_id = ${third.entityId}`;
    expect(names).toEqual([]);
  });
});

it("every type of event was told of in this file", () => {
  const told = new Set([ours, theirs].flatMap(({ accepted }) => typesOf(accepted)));
  expect([...EVENT_TYPES].filter((type) => !told.has(type))).toEqual([]);
});
