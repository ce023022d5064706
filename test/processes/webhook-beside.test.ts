import { afterEach, expect, it } from "vitest";
import { createClient } from "../../src/client.ts";
import { merchantContract } from "../../src/contract/broker/broker.ts";
import { anAdministrator } from "../e2e/support/administrator.ts";
import { Product } from "../e2e/support/product.ts";
import { ServiceApi } from "../e2e/support/service-api.ts";
import { payContract } from "../support/broker.ts";
import { aReceiver, signatureFault, type WebhookReceiver } from "../support/webhook-receiver.ts";

const AMOUNT = 25_000;
/** A page that polls looks every two seconds. */
const PROMPT_MS = 1_500;
const within = { timeout: 15_000 };

let product: Product | undefined;
let receiver: WebhookReceiver | undefined;

afterEach(async () => {
  await product?.remove();
  await receiver?.down();
  [product, receiver] = [undefined, undefined];
});

/** The hints that a page of the session hears, and the moment of the first. */
async function hear(origin: string, session: string) {
  const heard: { hintAt?: number } = {};
  const response = await fetch(`${origin}/v1/session/stream`, {
    headers: { authorization: `Bearer ${session}`, origin },
  });
  expect(response.status).toBe(200);
  const reading = (async () => {
    for await (const chunk of response.body ?? []) {
      if (Buffer.from(chunk).toString().includes("data:")) heard.hintAt ??= performance.now();
    }
  })();
  reading.catch(() => undefined);
  return heard;
}

it("npm start tells the shop's page at once of a payment made past the broker, without any configuration", async () => {
  product = await Product.start();
  const { origin, demo } = product;
  const api = await ServiceApi.of(demo);
  const hooks = async () => (await api.client.webhooks({ query: {} })).body.map(({ name, enabled }) => [name, enabled]);
  await expect.poll(hooks, within).toEqual([["broker", true]]);
  const bearer = (token: string) => ({ baseUrl: origin, headers: () => ({ authorization: `Bearer ${token}` }) });
  const merchant = createClient(merchantContract, bearer(demo.merchant_keys.server_key));
  const { session } = (await merchant.createSession({ body: { kind: "pay", amount: AMOUNT, origin } })).body;
  const heard = await hear(origin, session);
  const widget = createClient(payContract, bearer(session));
  const { payload } = (await widget.widgetSession({})).body;
  const { payer, merchant: shop } = demo.users;
  const body = { from_user_id: payer.id, to_user_id: shop.id, amount: AMOUNT, details: { qr: payload } };
  expect((await api.client.createTransaction({ body })).body.status).toBe("approved");
  const paidAt = performance.now();
  await expect.poll(() => heard.hintAt, { timeout: PROMPT_MS, interval: 10 }).toBeDefined();
  console.info(`hint after the payment: ${((heard.hintAt ?? 0) - paidAt).toFixed(0)} ms`);
  expect((await widget.widgetSession({})).body.state).toBe("paid");
  expect(product.takeLogged()).toEqual([]);
});

it("CUPO_WEBHOOK_PRIVATE lets webhooks reach a private network; what waits survives a kill -9", async () => {
  receiver = await aReceiver();
  receiver.answer = () => 503;
  const environment = { CUPO_WEBHOOK_PRIVATE: "127.0.0.0/8" };
  const first = await Product.start(undefined, { environment });
  product = first;
  const api = await ServiceApi.of(first.demo);
  const put = { url: receiver.url, event_types: ["transaction.created" as const] };
  const office = await anAdministrator(first);
  const { secret = "" } = (await office.putWebhook({ params: { name: "shop" }, body: put })).body;
  const { payer, merchant } = first.demo.users;
  const body = { from_user_id: payer.id, to_user_id: merchant.id, amount: AMOUNT };
  const { id } = (await api.client.createTransaction({ body })).body;
  await expect.poll(() => receiver?.received.length, within).toBe(1);
  first.main.signal("SIGKILL");
  await first.main.ended();
  receiver.answer = () => 204;
  product = await Product.start(first.place, { environment });
  await expect.poll(() => receiver?.accepted.length, { timeout: 100_000 }).toBe(1);
  const [refused, accepted] = receiver.received;
  expect(accepted?.id).toBe(refused?.id);
  expect(accepted?.event).toMatchObject({ type: "transaction.created", data: { id, amount: AMOUNT } });
  expect(signatureFault(secret, accepted as never)).toBeUndefined();
}, 150_000);
