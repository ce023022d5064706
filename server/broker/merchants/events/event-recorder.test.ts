import { Webhook } from "standardwebhooks";
import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ORIGIN } from "../../../../test/support/broker.ts";
import {
  aMerchantWebhookFixture,
  type MerchantWebhookFixture,
  type NotifiedMerchant,
} from "../../../../test/support/merchant-webhook-fixture.ts";
import { aStubUpstream, type StubUpstream } from "../../../../test/support/stub-upstream.ts";
import { UPSTREAM_EVENTS_PATH } from "../../people/notifications/upstream-events.ts";
import { createUpstreamSecrets } from "../../upstream/upstream-secrets.ts";
import { forgetMerchantEvents } from "./event-store.ts";

const UPSTREAM_SECRET = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
const MONTH_SECONDS = 31 * 24 * 60 * 60;

let stub: StubUpstream;
let fixture: MerchantWebhookFixture;
let merchant: NotifiedMerchant;
let order: Awaited<ReturnType<NotifiedMerchant["anOrder"]>>;
/** The code and payment of the order, as the service answers them now. */
let code: Record<string, unknown>;
let payment: Record<string, unknown>;

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

function isPaid(fields: object = {}): void {
  Object.assign(code, { state: "paid", transaction_id: payment.id });
  Object.assign(payment, fields);
}

beforeAll(async () => {
  stub = await aStubUpstream();
  const { url, clientId, clientSecret } = stub;
  const upstream = { baseUrl: url, authUrl: url, clientId, clientSecret };
  // Nothing is sent and nothing looked at here: what is written down is looked at.
  const merchantWebhooks = { watchEveryMs: 3_600_000, pollMs: 3_600_000 };
  fixture = await aMerchantWebhookFixture({ merchantWebhooks, upstream });
  await createUpstreamSecrets(fixture.broker.options).keep(UPSTREAM_SECRET);
  merchant = await fixture.aMerchant();
  merchant.receiver.answer = () => 500;
  stub.on("/create-transaction-qr", () => {
    const reference = v7();
    const times = { expires_at: inAnHour(), expires_in: 3_600 };
    return { status: 201, body: { reference, payload: "000201", image: "", check_code: "ABCD", ...times } };
  });
  stub.on("/transaction-qr", () => ({ body: code }));
  stub.on("/transaction", () => ({ body: payment }));
  stub.on("/transaction-history", () => ({ body: [] }));
});
afterAll(async () => {
  await fixture.stop();
  await stub.close();
});

beforeEach(async () => {
  order = await merchant.anOrder();
  const { shop, ana } = fixture.broker;
  const of = { reference: order.reference, to_user_id: shop.id, to_user: shop.name, amount: 25_000, currency: "COP" };
  code = { ...of, state: "unpaid", payload: "000201", expires_at: inAnHour(), expires_in: 3_600, check_code: "ABCD" };
  const at = new Date().toISOString();
  payment = {
    ...{ ...of, id: v7(), kind: "qr", status: "approved", date: at, created_at: at, details: {} },
    ...{ from_user: ana.name, from_user_id: ana.id },
  };
});

/** The service's message that something happened to the order; answers the status. */
async function tell(type = "qr.paid"): Promise<number> {
  const body = JSON.stringify({ type, timestamp: inAnHour(), data: { reference: order.reference } });
  const [id, at] = [v7(), new Date()];
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(UPSTREAM_SECRET).sign(id, at, body),
  };
  const response = await fixture.broker.fetch(`${ORIGIN}${UPSTREAM_EVENTS_PATH}`, { method: "POST", body, headers });
  return response.status;
}

/** Reads the order's events from the outbox. */
async function written(): Promise<readonly { type: string; data: Record<string, unknown> }[]> {
  const rows = await fixture.broker.sql<{ body: string }[]>`
    select body from broker.merchant_events where session_id = ${order.session_id} order by id`;
  return rows.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> });
}
const types = async () => (await written()).map(({ type }) => type);

describe("what merchants are told", () => {
  it("is written down before the service's message is accepted, which the service repeats until then", async () => {
    isPaid();
    stub.on("/transaction", () => ({ status: 503, body: { code: "unavailable" } }));
    expect(await tell()).toBe(503);
    expect(await types()).toEqual([]);
    stub.on("/transaction", () => ({ body: payment }));
    fixture.broker.advance(3);
    expect(await tell()).toBe(204);
    expect(await types()).toEqual(["payment.paid"]);
  });

  it("is what the service says is true, not what a message says that may be late", async () => {
    expect(await tell("qr.paid")).toBe(204);
    expect(await tell("transaction.reversed")).toBe(204);
    expect(await types()).toEqual([]);
    isPaid({ reversed_amount: 25_000, status: "reversed" });
    expect(await tell("qr.expired")).toBe(204);
    expect(await types()).toEqual(["payment.paid", "payment.refunded"]);
  });

  it("is written once by any number of messages at once", async () => {
    isPaid({ reversed_amount: 1_000 });
    const statuses = await Promise.all(Array.from({ length: 10 }, () => tell()));
    expect(new Set(statuses)).toEqual(new Set([204]));
    expect(await types()).toEqual(["payment.paid", "payment.refunded"]);
  });

  it("never has a smaller sum given back after a greater one", async () => {
    for (const reversed_amount of [1_000.5, 2_000, 1_500, 2_000]) {
      isPaid({ reversed_amount });
      await tell("transaction.reversed");
    }
    const sums = (await written()).flatMap(({ data }) => data.refunded_amount ?? []);
    expect(sums).toEqual([1_000.5, 2_000]);
  });

  it("has a payment even after the expiry was told, and no expiry after a payment", async () => {
    code.state = "expired";
    await tell("qr.expired");
    isPaid();
    await tell("qr.paid");
    expect(await types()).toEqual(["payment.expired", "payment.paid"]);
    await fixture.broker.sql`
      delete from broker.merchant_events where session_id = ${order.session_id} and type = 'payment.expired'`;
    code.state = "expired";
    await tell("qr.expired");
    expect(await types()).toEqual(["payment.paid"]);
  });

  it("has a payment that the broker may not see, without what only the payment says", async () => {
    isPaid();
    stub.on("/transaction", () => ({ status: 404, body: { code: "transaction_not_found" } }));
    expect(await tell()).toBe(204);
    stub.on("/transaction", () => ({ body: payment }));
    const [{ data } = { data: undefined }] = await written();
    expect(data).toMatchObject({ amount: 25_000, transaction_id: payment.id });
    expect(data).not.toHaveProperty("paid_at");
  });

  it("has nothing of a code or a payment of somebody else, whatever the reference", async () => {
    isPaid();
    code.to_user_id = fixture.broker.ana.id;
    expect(await tell()).toBe(204);
    code.to_user_id = fixture.broker.shop.id;
    payment.to_user_id = fixture.broker.ana.id;
    expect(await tell()).toBe(502);
    expect(await types()).toEqual([]);
  });

  it("is known to have been told for good, though its text is forgotten after 30 days", async () => {
    isPaid();
    await tell();
    const later = new Date(Date.now() + MONTH_SECONDS * 1_000);
    expect(await forgetMerchantEvents(fixture.broker.sql, later)).toBeGreaterThan(0);
    const rows = () => fixture.broker.sql`
      select body, state from broker.merchant_events where session_id = ${order.session_id}`;
    expect(await rows()).toEqual([{ body: null, state: "failed" }]);
    await tell();
    expect(await rows()).toEqual([{ body: null, state: "failed" }]);
  });
});
