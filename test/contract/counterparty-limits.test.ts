import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { linesOf } from "../support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks, NOBODY, rawClient, refusalMovingNothing, refusalOf } from "../support/service-calls.ts";
import { aReceiver } from "../support/webhook-receiver.ts";

const INSTALLATION = 5_000;

let service: TestService;
/** The entity whose users pay, so that it owes. */
let debtor: TestEntity;
/** The entity whose users are paid, so that it is owed. */
let creditor: TestEntity;
let payer: string;
let shop: string;

beforeAll(async () => {
  const webhooks = { allowed: ["127.0.0.0/8"], pollMs: 50 };
  service = await aService({ counterpartyLimit: BigInt(INSTALLATION), webhooks });
});
beforeEach(async () => {
  [debtor, creditor] = [await service.anEntity("Debtor"), await service.anEntity("Creditor")];
  payer = (await aUser(debtor, { quota: 100_000 })).id;
  shop = (await aUser(creditor, { quota: 100_000 })).id;
});
afterAll(() => service.stop());

async function limit(amount: string | null) {
  const params = { entity_id: debtor.entityId };
  return (await creditor.client.putCounterpartyLimit({ params, body: { limit: amount } })).body;
}

async function figures(entity = creditor) {
  const [row] = (await entity.client.counterpartyLimits({})).body;
  return row;
}

async function pay(amount: number, more: object = {}): Promise<string> {
  const body = { amount, from_user_id: payer, to_user_id: shop, ...more };
  const made = (await debtor.client.createTransaction({ body })).body;
  return made.reason ?? made.status;
}

const payBack = (amount: number) =>
  creditor.client.createTransaction({ body: { amount, from_user_id: shop, to_user_id: payer } });

describe("counterparty limits", () => {
  it("are the installation's until the creditor sets its own, which only that one does", async () => {
    expect((await creditor.client.counterpartyLimits({})).body).toEqual([]);
    expect(await pay(INSTALLATION + 1)).toBe("counterparty_limit");
    expect(await pay(1_000)).toBe("approved");
    const own = { limit: "5000", exposure: "-1000", held: "0", available: "6000" };
    const theirs = { limit: "5000", exposure: "1000", held: "0", available: "4000" };
    const names = { counterparty_id: debtor.entityId, counterparty: "Debtor", is_set: false };
    expect(await figures()).toEqual({ ...names, ...theirs, own });
    expect(await figures(debtor)).toMatchObject({ counterparty: "Creditor", ...own, own: theirs });
    expect(await limit("1500")).toMatchObject({ is_set: true, limit: "1500", available: "500", own });
    expect([await pay(501), await pay(500)]).toEqual(["counterparty_limit", "approved"]);
    expect(await limit(null)).toMatchObject({ is_set: false, limit: "5000", available: "3500" });
    expect(await pay(3_500)).toBe("approved");
    await expectSoundBooks(service);
  });

  it("may be below what is owed, or nothing at all; what goes the other way gives room", async () => {
    expect(await pay(1_000)).toBe("approved");
    expect(await limit("0")).toMatchObject({ limit: "0", exposure: "1000", available: "-1000" });
    expect(await pay(0.01)).toBe("counterparty_limit");
    await payBack(1_250);
    expect(await figures()).toMatchObject({ exposure: "-250", available: "250" });
    expect([await pay(250.01), await pay(250)]).toEqual(["counterparty_limit", "approved"]);
    await expectSoundBooks(service);
  });

  it("hold for everything that makes an entity owe another", async () => {
    await limit("100");
    const transfer = { from_user_id: payer, to_user_id: shop, amount: 101 };
    expect((await debtor.client.createLedgerTransaction({ body: transfer })).body[0]?.reason).toBe(
      "counterparty_limit",
    );
    const top = { amount: 101, from_user_id: payer, to_user_id: shop };
    expect((await debtor.client.createRechargeTransaction({ body: top })).body.reason).toBe("counterparty_limit");
    const payments = [60, 41].map((amount) => ({ amount, to_user_id: shop }));
    const batch = await debtor.client.createPaymentTransaction({ body: { from_user_id: payer, payments } });
    expect(batch.body.map(({ reason, status }) => reason ?? status)).toEqual(["rejected", "counterparty_limit"]);
    const { body: qr } = await creditor.client.createTransactionQr({ body: { amount: 101, to_user_id: shop } });
    expect(await pay(101, { details: { qr: qr.payload } })).toBe("counterparty_limit");
    const grant = { id: shop, amount: "101", loan_type: "default", payment_date: "2900-01-01" };
    await creditor.client.putEntitySettings({ body: { lenders: [debtor.entityId] } });
    expect(await refusalMovingNothing(service, debtor, "addQuota", grant)).toEqual(["counterparty_limit"]);
    await debtor.client.addQuota({ body: { ...grant, amount: "100" } });
    expect(await pay(0.01)).toBe("counterparty_limit");
    await limit("101");
    await debtor.client.dischargeQuota({ body: { id: shop, amount: "100" } });
    expect(await figures()).toMatchObject({ exposure: "0" });
    await expectSoundBooks(service);
  });

  it("count a hold when it is made; settling it needs nothing more, and a release gives it back", async () => {
    await limit("100");
    const body = { amount: 60, from_user_id: payer, to_user_id: shop, status: "pending" as const };
    const { body: hold } = await debtor.client.createTransaction({ body });
    expect(await figures()).toMatchObject({ exposure: "60", held: "60", available: "40" });
    expect(await pay(41, { status: "pending" })).toBe("counterparty_limit");
    await limit("10");
    await debtor.client.settleTransaction({ body: { id: hold.id, status: "approved", amount: 50 } });
    expect(await figures()).toMatchObject({ exposure: "50", held: "0", available: "-40" });
    await limit("100");
    const { body: second } = await debtor.client.createTransaction({ body: { ...body, amount: 50 } });
    await debtor.client.settleTransaction({ body: { id: second.id, status: "rejected" } });
    expect(await figures()).toMatchObject({ exposure: "50", held: "0", available: "50" });
    await expectSoundBooks(service);
  });

  it("let refunds pass, and count them", async () => {
    const { body: payment } = await payBack(300);
    expect(await pay(300)).toBe("approved");
    await limit("0");
    await debtor.client.reverseTransaction({ body: { id: payment.id } });
    expect(await figures()).toMatchObject({ exposure: "300", available: "-300" });
    await expectSoundBooks(service);
  });

  it("refuse faults, one's own entity and one that is not there", async () => {
    const raw = await rawClient(service, creditor);
    const refused = async (entity_id: string, body: object) =>
      refusalOf(await raw("putCounterpartyLimit", { params: { entity_id }, body }));
    expect(await refused(debtor.entityId, { limit: "-1" })).toEqual(["invalid_request", "/limit"]);
    expect(await refused(debtor.entityId, { limit: 5, exposure: "0" })).toEqual([
      ...["invalid_request", "/exposure", "/limit"],
    ]);
    expect(await refused(creditor.entityId, { limit: "5" })).toEqual(["invalid_request", "/entity_id"]);
    expect(await refused(NOBODY, { limit: "5" })).toEqual(["entity_not_found"]);
    expect(await refused("7", { limit: "5" })).toEqual(["not_found"]);
    await limit("5");
    const records = await service.sql`
      select made_by, action, outcome from service.access_records
      where subject = ${`${creditor.entityId}/${debtor.entityId}`}`;
    expect([...records]).toEqual([{ made_by: creditor.clientId, action: "putCounterpartyLimit", outcome: "done" }]);
  });
});

describe("record-settlement", () => {
  it("ends what is owed, on both books, once per key; the room is there at once", async () => {
    await limit("100");
    expect(await pay(100)).toBe("approved");
    const call = { body: { debtor_id: debtor.entityId.toUpperCase(), amount: "70.50" } };
    const idempotencyKey = `settlement-${debtor.entityId}`;
    const [first, again] = [
      await creditor.client.recordSettlement(call, { idempotencyKey }),
      await creditor.client.recordSettlement(call, { idempotencyKey }),
    ];
    expect([first.replayed, again.replayed, again.body]).toEqual([false, true, first.body]);
    const { reference } = first.body;
    const parties = { creditor_id: creditor.entityId, debtor_id: debtor.entityId };
    expect(first.body).toEqual({ ...parties, reference, amount: "70.5" });
    expect(await linesOf(service, reference)).toEqual(
      [
        ["cash_clearing", creditor.entityId, -7_050n],
        ["cash_clearing", debtor.entityId, 7_050n],
        ["due_from", creditor.entityId, 7_050n],
        ["due_to", debtor.entityId, -7_050n],
      ].sort(),
    );
    expect([await pay(70.51), await pay(70.5)]).toEqual(["counterparty_limit", "approved"]);
    const { body: entries } = await debtor.client.entries({ query: { account: "cash_clearing" } });
    expect(entries[0]).toMatchObject({ kind: "settlement", reference, side: "credit", amount: 70.5 });
    await expectSoundBooks(service);
  });

  it("is never more than is owed: not what is only held, and not what the debtor would record", async () => {
    await pay(40);
    await pay(60, { status: "pending" });
    const record = (entity: TestEntity, debtor_id: string, amount: string) =>
      refusalMovingNothing(service, entity, "recordSettlement", { debtor_id, amount });
    expect(await record(creditor, debtor.entityId, "40.01")).toEqual(["more_than_owed"]);
    expect(await record(debtor, creditor.entityId, "0.01")).toEqual(["more_than_owed"]);
    expect(await record(creditor, NOBODY, "1")).toEqual(["entity_not_found"]);
    expect(await record(creditor, creditor.entityId, "1")).toEqual(["invalid_request", "/debtor_id"]);
    expect(await record(creditor, debtor.entityId, "0.001")).toEqual(["invalid_request", "/amount"]);
    await creditor.client.recordSettlement({ body: { debtor_id: debtor.entityId, amount: "40" } });
    expect(await figures()).toMatchObject({ exposure: "60", held: "60" });
  });
});

it("tells both entities when 80 % of a limit are used, once, and again after it was less", async () => {
  const receivers = await Promise.all(
    [creditor, debtor].map(async ({ client }) => {
      const receiver = await aReceiver();
      const body = { url: receiver.url, event_types: ["counterparty.limit_near" as const] };
      await client.putWebhook({ params: { name: "limits" }, body });
      return receiver;
    }),
  );
  const told = async (count: number) => {
    for (const { received } of receivers) {
      await vi.waitFor(() => expect(received).toHaveLength(count), { timeout: 10_000 });
    }
  };
  await limit("100");
  for (const amount of [79.99, 0.01, 10, 5]) expect(await pay(amount)).toBe("approved");
  await told(1);
  expect(receivers[0]?.received[0]?.event.data).toEqual({
    creditor_id: creditor.entityId,
    debtor_id: debtor.entityId,
    ...{ limit: "100", exposure: "80", available: "20" },
  });
  await payBack(50);
  expect(await pay(40)).toBe("approved");
  await told(2);
  await limit("90");
  await pay(1);
  await told(2);
  for (const receiver of receivers) await receiver.down();
});
