import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatPaymentReference } from "../../src/payment-reference.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { type RawClient, rawClient, refusalOf, standing } from "../support/service-calls.ts";

const UNKNOWN = "7K3M9QXT2V4FW";

let service: TestService;
let fintech: TestEntity;
let other: TestEntity;
let raw: RawClient;
let ana: string;
let shop: string;

beforeAll(async () => {
  service = await aService();
  [fintech, other] = [await service.anEntity(), await service.anEntity("Other")];
  raw = await rawClient(service, fintech);
  [ana, shop] = [(await aUser(fintech, { quota: 100_000 })).id, (await aUser(fintech, { name: "Shop" })).id];
});
afterAll(() => service.stop());

async function aQr(more: object = {}) {
  const { body } = await fintech.client.createTransactionQr({ body: { amount: 40, to_user_id: shop, ...more } });
  return { ...body, reference: body.reference ?? "" };
}

async function pay(payload: string) {
  const body = { amount: 40, from_user_id: ana, to_user_id: shop, details: { qr: payload } };
  return (await fintech.client.createTransaction({ body })).body;
}

const cancel = (reference: string) => raw("cancelTransactionQr", { body: { reference } });

describe("transaction-qr", () => {
  it("tells every field to any entity that has the reference, in any spelling", async () => {
    const qr = await aQr();
    const query = { reference: formatPaymentReference(qr.reference).toLowerCase() };
    const { body } = await other.client.transactionQr({ query });
    expect(body).toEqual({
      reference: qr.reference,
      state: "unpaid",
      payload: qr.payload,
      to_user_id: shop,
      to_user: "Shop",
      amount: 40,
      currency: "COP",
      expires_at: qr.expires_at,
      expires_in: expect.any(Number),
      check_code: qr.check_code,
    });
    expect(Math.abs((body.expires_in ?? 0) - (qr.expires_in ?? 0))).toBeLessThanOrEqual(2);
  });

  it("goes from unpaid to paid and names the payment; paid outlives the expiry", async () => {
    const qr = await aQr({ expires_in: 30 });
    const paid = await pay(qr.payload);
    const ask = async () => (await fintech.client.transactionQr({ query: { reference: qr.reference } })).body;
    expect(await ask()).toMatchObject({ state: "paid", transaction_id: paid.id });
    service.advance(31);
    expect(await ask()).toMatchObject({ state: "paid", transaction_id: paid.id, expires_in: 0 });
  });

  it("expires by the clock, in whole seconds to zero", async () => {
    const qr = await aQr({ expires_in: 60 });
    const ask = async () => (await fintech.client.transactionQr({ query: { reference: qr.reference } })).body;
    service.advance(50);
    const late = await ask();
    expect(late.state).toBe("unpaid");
    expect(late.expires_in).toBeLessThanOrEqual(10);
    service.advance(10);
    expect(await ask()).toMatchObject({ state: "expired", expires_in: 0 });
  });

  it("is 304 for a poller until something happens, however many seconds pass", async () => {
    const qr = await aQr({ expires_in: 600 });
    const ask = (etag: string) => fintech.client.transactionQr({ query: { reference: qr.reference } }, { etag });
    const { etag: first = "" } = await ask("");
    expect(first).toMatch(/^W\/"/);
    expect((await ask(first)).status).toBe(304);
    service.advance(5);
    expect((await ask(first)).status).toBe(304);
    await pay(qr.payload);
    const paid = await ask(first);
    expect([paid.status, paid.body.state]).toEqual([200, "paid"]);
    expect((await ask(paid.etag ?? "")).status).toBe(304);
    const short = await aQr({ expires_in: 30 });
    const { etag = "" } = await fintech.client.transactionQr({ query: { reference: short.reference } });
    service.advance(31);
    const expired = await fintech.client.transactionQr({ query: { reference: short.reference } }, { etag });
    expect([expired.status, expired.body.state]).toEqual([200, "expired"]);
  });

  it("is 404 for a reference that no QR has, a payment's own too, and 400 for a mistyped one", async () => {
    const body = { amount: 1, from_user_id: ana, to_user_id: shop };
    const { reference } = (await fintech.client.createTransaction({ body })).body;
    for (const query of [{ reference }, { reference: UNKNOWN }]) {
      expect(await refusalOf(await raw("transactionQr", { query }))).toEqual(["qr_not_found"]);
    }
    const query = { reference: `${UNKNOWN.slice(0, 12)}X` };
    expect(await refusalOf(await raw("transactionQr", { query }))).toEqual(["invalid_request", "reference"]);
  });
});

describe("cancel-transaction-qr", () => {
  it("withdraws an unpaid QR, twice as well as once, and in any spelling", async () => {
    const qr = await aQr();
    const reference = formatPaymentReference(qr.reference).toLowerCase();
    for (const _ of [1, 2]) {
      const { body, status } = await fintech.client.cancelTransactionQr({ body: { reference } });
      expect([status, body.state, body.reference]).toEqual([200, "cancelled", qr.reference]);
    }
    const { body } = await fintech.client.transactionQr({ query: { reference } });
    expect(body).toMatchObject({ state: "cancelled", amount: 40, to_user_id: shop });
    await expect(pay(qr.payload)).rejects.toMatchObject({ code: "qr_cancelled" });
  });

  it("refuses, in this order: unknown, another's, paid, expired", async () => {
    const [paid, late, theirs] = [await aQr(), await aQr({ expires_in: 30 }), await aQr()];
    const body = { amount: 40, to_user_id: shop };
    const foreign = (await other.client.createTransactionQr({ body })).body.reference ?? "";
    await pay(paid.payload);
    expect(await refusalOf(await cancel(UNKNOWN))).toEqual(["qr_not_found"]);
    expect(await refusalOf(await cancel(foreign))).toEqual(["not_allowed"]);
    const otherRaw = await rawClient(service, other);
    for (const { reference } of [theirs, paid]) {
      const response = await otherRaw("cancelTransactionQr", { body: { reference } });
      expect(await refusalOf(response)).toEqual(["not_allowed"]);
    }
    expect(await refusalOf(await cancel(paid.reference))).toEqual(["qr_already_paid"]);
    service.advance(31);
    const before = await standing(service);
    expect(await refusalOf(await cancel(late.reference))).toEqual(["qr_expired"]);
    expect(await refusalOf(await cancel(paid.reference))).toEqual(["qr_already_paid"]);
    expect(await refusalOf(await cancel("x"))).toEqual(["invalid_request", "/reference"]);
    expect(await standing(service)).toEqual(before);
  });
});
