import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../../../src/client.ts";
import { merchantContract } from "../../../../src/contract/broker/broker.ts";
import { asOperator, type OperatorClient } from "../../../../test/support/as-operator.ts";
import { aBroker, anOrder, ORIGIN, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";
import { agreed, anotherOperator } from "../../../../test/support/second-operator.ts";

type Backend = Client<typeof merchantContract>;

let broker: TestBroker;
let admin: OperatorClient;
let second: OperatorClient;
let merchantId: string;
/** The backend of a merchant that refunds. */
let shop: Backend;

beforeAll(async () => {
  broker = await aBroker({ wait: async () => undefined });
  admin = await asOperator(broker);
  second = (await anotherOperator(broker, "admin")).client;
});
afterAll(() => broker.stop());

function backendOf(serverKey: string | null): Backend {
  const headers = () => ({ authorization: `Bearer ${serverKey}` });
  return createClient(merchantContract, { baseUrl: ORIGIN, fetch: broker.fetch, headers });
}

async function aMerchant(fields: { readonly refunds?: boolean; readonly refund_limit?: number } = { refunds: true }) {
  const body = { name: "Tienda", user_id: broker.shop.id, origins: [SHOP_ORIGIN], ...fields };
  const made = await agreed(second, (await admin.createMerchant({ body })).body);
  return { id: made.id, backend: backendOf(made.server_key) };
}

beforeEach(async () => {
  const made = await aMerchant();
  [merchantId, shop] = [made.id, made.backend];
});

/** An order of that backend that Ana paid; returns the payment's id. */
async function aPayment(backend = shop, amount = 25_000): Promise<string> {
  const { reference } = await anOrder({ ...broker, merchant: backend }, { amount });
  const { payload } = (await broker.entity.client.transactionQr({ query: { reference } })).body;
  const parties = { from_user_id: broker.ana.id, to_user_id: broker.shop.id };
  const body = { amount, ...parties, details: { qr: payload } };
  return (await broker.entity.client.createTransaction({ body })).body.id;
}

type Body = Parameters<Backend["createRefund"]>[0]["body"];
const refund = (payment_id: string, body: Body = {}, idempotencyKey: string = v7(), backend = shop) =>
  backend.createRefund({ params: { payment_id }, body }, { idempotencyKey });
const listed = async (payment_id: string, backend = shop) => (await backend.refunds({ params: { payment_id } })).body;

/** How much of a payment the service says was given back. */
async function givenBack(id: string): Promise<number> {
  return (await broker.entity.client.transaction({ query: { id } })).body.reversed_amount ?? 0;
}

describe("a refund by a merchant's backend", () => {
  it("gives back a part and then the rest, with its reason for the payer", async () => {
    const payment = await aPayment();
    const part = await refund(payment, { amount: 5_000, reason: "una taza rota" });
    expect(part.status).toBe(201);
    expect(part.body).toEqual({
      ...{ id: part.body.id, payment_id: payment, state: "approved", amount: 5_000, currency: "COP" },
      ...{ reason: "una taza rota", transaction_id: part.body.transaction_id, refunded_amount: 5_000 },
      created_at: expect.any(String),
    });
    const rest = await refund(payment);
    expect(rest.body).toMatchObject({ state: "approved", amount: 20_000, refunded_amount: 25_000 });
    const ana = await broker.as("payer");
    const [newest, older] = (await ana.myHistory({ query: {} })).body;
    expect(newest).toMatchObject({ id: rest.body.transaction_id, kind: "refund", direction: "received" });
    expect(older).toMatchObject({ id: part.body.transaction_id, note: "una taza rota", amount: 5_000 });
    expect((await listed(payment)).map(({ id, reason }) => [id, reason])).toEqual([
      [rest.body.id, undefined],
      [part.body.id, "una taza rota"],
    ]);
    const audit = await broker.sql<{ outcome: string; facts: string }[]>`
      select outcome, facts from broker.audit_records where subject = ${part.body.id} order by id`;
    expect(audit.map(({ outcome }) => outcome)).toEqual(["running", "approved"]);
    expect(JSON.stringify(audit)).not.toContain("taza");
  });

  it("asked for again with its key is the same, and another one with that key is refused", async () => {
    const [payment, key] = [await aPayment(), v7()];
    const copies = await Promise.all(Array.from({ length: 5 }, () => refund(payment, { amount: 1_000 }, key)));
    expect(new Set(copies.map(({ body }) => `${body.id} ${body.state}`)).size).toBe(1);
    const again = await refund(payment, { amount: 1_000 }, key);
    expect([again.body.id, again.replayed]).toEqual([copies[0]?.body.id, true]);
    await expect(refund(payment, { amount: 2_000 }, key)).rejects.toMatchObject({ code: "idempotency_key_reused" });
    const other = refund(await aPayment(), { amount: 1_000 }, key);
    await expect(other).rejects.toMatchObject({ code: "idempotency_key_reused" });
    expect(await givenBack(payment)).toBe(1_000);
    const bare = shop.createRefund({ params: { payment_id: payment }, body: {} });
    await expect(bare).rejects.toMatchObject({ faults: [{ parameter: "Idempotency-Key" }] });
  });

  it("is never more than is left, also of two at once, and a refusal stays one", async () => {
    const payment = await aPayment();
    const [key, other] = [v7(), v7()];
    const both = await Promise.allSettled([key, other].map((each) => refund(payment, { amount: 15_000 }, each)));
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await givenBack(payment)).toBe(15_000);
    const lost = both[0]?.status === "rejected" ? key : other;
    const again = refund(payment, { amount: 15_000 }, lost);
    await expect(again).rejects.toMatchObject({ code: "refund_too_large" });
    await refund(payment);
    await expect(refund(payment)).rejects.toMatchObject({ code: "transaction_not_reversible" });
    await expect(refund(payment, { amount: 1 })).rejects.toMatchObject({ code: "transaction_not_reversible" });
    expect(await givenBack(payment)).toBe(25_000);
  });

  it("is of its own sessions' payments alone, also where another merchant is paid as the same user", async () => {
    const [payment, other] = [await aPayment(), await aMerchant()];
    const direct = { amount: 5_000, from_user_id: broker.ana.id, to_user_id: broker.shop.id };
    const { body: plain } = await broker.entity.client.createTransaction({ body: direct });
    for (const [id, backend] of [
      [payment, other.backend],
      [plain.id, shop],
      [v7(), shop],
    ] as const) {
      await expect(refund(id, {}, v7(), backend)).rejects.toMatchObject({ code: "not_found" });
      await expect(listed(id, backend)).rejects.toMatchObject({ code: "not_found" });
    }
    expect([await givenBack(payment), await givenBack(plain.id)]).toEqual([0, 0]);
  });

  it("needs the payee's balance, and uses its key up where that is missing", async () => {
    const [payment, key] = [await aPayment(shop, 100_000), v7()];
    const spent = (await broker.entity.client.user({ query: { id: broker.shop.id } })).body.quota_available ?? 0;
    const away = { amount: spent, from_user_id: broker.shop.id, to_user_id: broker.ben.id };
    await broker.entity.client.createTransaction({ body: away });
    await expect(refund(payment, {}, key)).rejects.toMatchObject({ code: "insufficient_balance" });
    await broker.entity.client.createTransaction({
      body: { ...away, from_user_id: broker.ben.id, to_user_id: broker.shop.id },
    });
    await expect(refund(payment, {}, key)).rejects.toMatchObject({ code: "insufficient_balance" });
    expect((await refund(payment)).body.state).toBe("approved");
  });
});

describe("a merchant that may not refund", () => {
  it("is told how it may, and one whose power was taken refunds no more", async () => {
    const { backend } = await aMerchant({});
    const refused = refund(await aPayment(backend), {}, v7(), backend);
    await expect(refused).rejects.toMatchObject({ code: "not_allowed", detail: expect.stringContaining("--refunds") });
    const payment = await aPayment();
    await admin.changeMerchant({ params: { id: merchantId }, body: { refunds: false } });
    await expect(refund(payment)).rejects.toMatchObject({ code: "not_allowed" });
    expect(await givenBack(payment)).toBe(0);
  });

  it("gives nothing back by a key that was made while the power waited, and does by one that was listed", async () => {
    const body = { name: "Tienda", user_id: broker.shop.id, origins: [SHOP_ORIGIN], refunds: true };
    const made = (await admin.createMerchant({ body })).body;
    expect(made.change).toMatchObject({ refunds: true, user: "not_needed", state: "waiting" });
    const params = { id: made.id };
    const { server_key: later } = (await admin.rotateMerchantKey({ params, body: { kind: "server" } })).body;
    const payment = await aPayment(backendOf(made.server_key));
    await expect(refund(payment, {}, v7(), backendOf(made.server_key))).rejects.toMatchObject({ code: "not_allowed" });
    await agreed(second, made);
    await expect(refund(payment, {}, v7(), backendOf(later))).rejects.toMatchObject({ code: "not_allowed" });
    expect((await refund(payment, {}, v7(), backendOf(made.server_key))).body.state).toBe("approved");
  });

  it("is one whose user is frozen: nothing is paid out", async () => {
    const payment = await aPayment();
    const params = { user_id: broker.shop.id };
    await admin.freezePerson({ params });
    await expect(refund(payment)).rejects.toMatchObject({ code: "account_frozen" });
    await admin.unfreezePerson({ params });
    expect((await refund(payment)).body.state).toBe("approved");
  });
});

describe("a refund that others made", () => {
  it("is listed by its own id, and leaves so much less to give back", async () => {
    const payment = await aPayment();
    const given = { id: payment, amount: 4_000, details: { reason: "mal cobrado" } };
    const { body: others } = await broker.entity.client.reverseTransaction({ body: given });
    const own = (await refund(payment)).body;
    expect(own).toMatchObject({ amount: 21_000, refunded_amount: 25_000 });
    const [first, last] = await listed(payment);
    expect(first?.id).toBe(own.id);
    expect(last).toMatchObject({ id: others.id, transaction_id: others.id, amount: 4_000, reason: "mal cobrado" });
  });
});

describe("a merchant with a limit for its refunds", () => {
  it("passes no limit of the business day, of two at once either, and goes on the next day", async () => {
    const { backend } = await aMerchant({ refunds: true, refund_limit: 30_000 });
    const [one, two] = [await aPayment(backend), await aPayment(backend)];
    const both = await Promise.allSettled([one, two].map((id) => refund(id, { amount: 20_000 }, v7(), backend)));
    const [refused] = both.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    const exceeded = { name: "refund_limit", amount: 30_000, left: 10_000, until: expect.any(String) };
    expect(refused).toMatchObject({ code: "limit_exceeded", exceededLimit: exceeded });
    expect((await givenBack(one)) + (await givenBack(two))).toBe(20_000);
    const key = v7();
    await expect(refund(one, { amount: 10_001 }, key, backend)).rejects.toMatchObject({ code: "limit_exceeded" });
    broker.advance(24 * 60 * 60);
    const again = refund(one, { amount: 10_001 }, key, backend);
    await expect(again).rejects.toMatchObject({ code: "limit_exceeded", exceededLimit: { left: 10_000 } });
    const left = (await givenBack(one)) === 0 ? one : two;
    expect((await refund(left, {}, v7(), backend)).body).toMatchObject({ state: "approved", amount: 25_000 });
  });
});
