import { setTimeout as delay } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBroker, anOrder, ORIGIN, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";
import { silentLog } from "../../../../test/support/silent-log.ts";
import { type Listening, listen } from "../../../http/listen.ts";
import { createUpstreamSecrets } from "../../upstream/upstream-secrets.ts";
import { UPSTREAM_EVENTS_PATH } from "./upstream-events.ts";

/** Pages poll every two seconds: a hint within this time came by a webhook. */
const PROMPT_MS = 1_500;

let broker: TestBroker;
let listening: Listening;

beforeAll(async () => {
  broker = await aBroker({}, { webhooks: { allowed: ["127.0.0.0/8"] } });
  listening = await listen(broker.app, { host: "127.0.0.1", port: 0, log: silentLog, newRequestId: () => v7() });
  await broker.registerWebhook(`http://127.0.0.1:${listening.port}${UPSTREAM_EVENTS_PATH}`);
});
afterAll(async () => {
  broker.endStreams();
  await listening.close(1_000);
  await broker.stop();
});

/** Opens the stream of a session's page and counts its hints. */
async function hear(session: string) {
  const response = await fetch(`http://127.0.0.1:${listening.port}/v1/session/stream`, {
    headers: { authorization: `Bearer ${session}`, origin: SHOP_ORIGIN },
  });
  const heard = { hints: 0 };
  const reading = (async () => {
    for await (const chunk of response.body ?? [])
      heard.hints += Buffer.from(chunk).toString().split("data:").length - 1;
  })();
  reading.catch(() => undefined);
  return heard;
}

/** Pays as another app of the fintech would: at the service, past the broker. */
async function payAtService(session: string): Promise<void> {
  const { payload } = (await broker.widget(session).widgetSession({})).body;
  const { ana, shop, entity } = broker;
  const body = { amount: 25_000, from_user_id: ana.id, to_user_id: shop.id, details: { qr: payload } };
  expect((await entity.client.createTransaction({ body })).body.status).toBe("approved");
}

describe("a webhook of the service", () => {
  it("tells a waiting page of a payment that was made past the broker, and the next look shows it", async () => {
    const { session } = await anOrder(broker);
    const heard = await hear(session);
    await payAtService(session);
    const paidAt = performance.now();
    await expect.poll(() => heard.hints, { timeout: PROMPT_MS, interval: 10 }).toBe(1);
    console.info(`from the payment to the page's hint: ${(performance.now() - paidAt).toFixed(0)} ms`);
    expect((await broker.widget(session).widgetSession({})).body.state).toBe("paid");
  });

  it("tells no page again of a payment that this broker made and told of", async () => {
    const { session } = await anOrder(broker);
    const heard = await hear(session);
    const ana = await broker.as("payer");
    const { payload } = (await broker.widget(session).widgetSession({})).body;
    const { id, payee, amount, reference = "" } = (await ana.openApproval({ body: { payload } })).body;
    await ana.confirmApproval({ params: { id }, body: { payee, amount, reference, demo: true } });
    const query = { "endpoint-name": "broker", limit: "1" };
    const newest = async () => (await broker.entity.client.webhookDeliveries({ query })).body[0];
    await expect.poll(newest).toMatchObject({ event_type: "transaction.created", state: "delivered" });
    expect(heard.hints).toBe(1);
    expect((await broker.widget(session).widgetSession({})).body.state).toBe("paid");
  });

  it("tells of a code that was cancelled at the service", async () => {
    const { session, reference = "" } = await anOrder(broker);
    const heard = await hear(session);
    await broker.entity.client.cancelTransactionQr({ body: { reference } });
    await expect.poll(() => heard.hints, { timeout: PROMPT_MS }).toBe(1);
  });

  it("goes on arriving after the broker registers anew, and each kept secret is sealed", async () => {
    const url = `http://127.0.0.1:${listening.port}${UPSTREAM_EVENTS_PATH}`;
    await broker.registerWebhook(url);
    const { body } = await broker.entity.client.webhooks({ query: {} });
    expect(body).toMatchObject([{ name: "broker", url, enabled: true }]);
    const { session } = await anOrder(broker);
    const heard = await hear(session);
    await payAtService(session);
    await expect.poll(() => heard.hints, { timeout: PROMPT_MS }).toBe(1);
    const rows = await broker.sql<{ text: string }[]>`select s::text as text from broker.upstream_secrets s`;
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).not.toContain(Buffer.from("whsec_").toString("hex"));
  });
});

describe("the receiver of webhooks", () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const stranger = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;

  function post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>): Promise<Response> {
    return broker.fetch(`${ORIGIN}${UPSTREAM_EVENTS_PATH}`, { method: "POST", body, headers });
  }
  function signed(body: string, with_ = secret, at = new Date()): Record<string, string> {
    const id = v7();
    const signature = new Webhook(with_).sign(id, at, body);
    return {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": signature,
    };
  }
  const event = (reference: string) => JSON.stringify({ type: "qr.paid", timestamp: "", data: { reference } });

  it("knows a secret that another process registered a moment ago", async () => {
    const other = createUpstreamSecrets({ ...broker.options, now: () => performance.now() });
    await other.keep(secret);
    await delay(1_100);
    expect((await post(event("x"), signed(event("x")))).status).toBe(204);
  });

  it("answers the same to everything that the service did not sign just now, and tells nobody", async () => {
    const { session, reference = "" } = await anOrder(broker);
    const heard = await hear(session);
    const body = event(reference);
    const good = signed(body);
    const old = new Date(Date.now() - 301_000);
    // It must be early still when the last of these arrives.
    const early = new Date(Date.now() + 330_000);
    const wrong: [string | Uint8Array<ArrayBuffer>, Record<string, string>][] = [
      [body, {}],
      [body, signed(body, stranger)],
      [`${body} `, good],
      [body, { ...good, "webhook-id": v7() }],
      [body, { ...good, "webhook-timestamp": "soon" }],
      [body, { ...good, "webhook-signature": "v1," }],
      [body, { ...good, "webhook-signature": (good["webhook-signature"] ?? "").replace("v1,", "v1a,") }],
      [body, signed(body, secret, old)],
      [body, signed(body, secret, early)],
      ["", signed("")],
      [Uint8Array.of(0xff, 0xfe), good],
      ...[JSON.stringify({ type: "qr.paid", data: { reference, more: "x".repeat(70_000) } })].map(
        (large): [string, Record<string, string>] => [large, signed(large)],
      ),
    ];
    const answers = await Promise.all(
      wrong.map(async ([text, headers]) => {
        const response = await post(text, headers);
        const { request_id: _, ...problem } = (await response.json()) as Record<string, unknown>;
        return JSON.stringify([response.status, problem]);
      }),
    );
    expect([...new Set(answers)]).toEqual([expect.stringContaining('"code":"unauthorized"')]);
    await delay(100);
    expect(heard.hints).toBe(0);
    expect((await post(body, good)).status).toBe(204);
    await expect.poll(() => heard.hints).toBe(1);
  });

  it("accepts what it does not know of, so that it is not sent again", async () => {
    for (const body of [
      JSON.stringify({ type: "user.created", data: {} }),
      JSON.stringify({ type: "qr.paid", data: null }),
      "7",
    ]) {
      expect((await post(body, signed(body))).status).toBe(204);
    }
  });
});
