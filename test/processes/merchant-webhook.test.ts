import { afterEach, expect, it } from "vitest";
import { createClient } from "../../src/client.ts";
import { merchantContract } from "../../src/contract/broker/broker.ts";
import type { MerchantWithKeys } from "../../src/contract/broker/operator-merchants.ts";
import { verifyWebhook } from "../../src/cupo-webhooks.ts";
import { environmentOf, Product } from "../e2e/support/product.ts";
import { ServiceApi } from "../e2e/support/service-api.ts";
import { payContract } from "../support/broker.ts";
import { runCommand } from "../support/run-command.ts";
import { aReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

const AMOUNT = 25_000;
const PROMPT_MS = 2_000;
const WEBHOOKS = { CUPO_WEBHOOK_PRIVATE: "127.0.0.0/8" };
const within = { timeout: 15_000 };

let product: Product | undefined;
let receiver: WebhookReceiver | undefined;

afterEach(async () => {
  await product?.remove();
  await receiver?.down();
  [product, receiver] = [undefined, undefined];
});

/** A merchant with that webhook, made at the terminal beside the running product. */
async function makeMerchant({ place, origin, demo }: Product, webhook: string): Promise<MerchantWithKeys> {
  const who = ["--name", "Told", "--user-id", demo.users.merchant.id, "--origin", origin, "--webhook", webhook];
  const run = await runCommand(["merchant", "create", ...who, "--json"], { ...environmentOf(place), ...WEBHOOKS });
  expect([run.code, run.err]).toEqual([0, ""]);
  return JSON.parse(run.out) as MerchantWithKeys;
}

it("npm start tells a merchant's backend of a payment within two seconds, and of its refund", async () => {
  const [started, hook] = [await Product.start(undefined, { environment: WEBHOOKS }), await aReceiver()];
  [product, receiver] = [started, hook];
  const { origin, demo } = started;
  const api = await ServiceApi.of(demo);
  const hooks = async () => (await api.client.webhooks({ query: {} })).body.map(({ name }) => name);
  await expect.poll(hooks, within).toEqual(["broker"]);
  const { server_key, webhook_secret } = await makeMerchant(started, hook.url);
  const bearer = (token: string) => ({ baseUrl: origin, headers: () => ({ authorization: `Bearer ${token}` }) });
  const merchant = createClient(merchantContract, bearer(server_key ?? ""));
  const body = { kind: "pay" as const, amount: AMOUNT, origin, order: "order-1" };
  const { session } = (await merchant.createSession({ body })).body;
  const { payload } = (await createClient(payContract, bearer(session)).widgetSession({})).body;
  const parties = { from_user_id: demo.users.payer.id, to_user_id: demo.users.merchant.id };
  const payment = { ...parties, amount: AMOUNT, details: { qr: payload } };
  const { id } = (await api.client.createTransaction({ body: payment })).body;
  const paidAt = performance.now();
  await expect.poll(() => hook.accepted.length, { timeout: PROMPT_MS, interval: 5 }).toBe(1);
  console.info(`the merchant's backend heard after ${(performance.now() - paidAt).toFixed(0)} ms`);
  await api.client.reverseTransaction({ body: { id } });
  await expect.poll(() => hook.accepted.length, within).toBe(2);
  expect(hook.accepted.map(({ event: { type, data } }) => [type, data.order, data.transaction_id])).toEqual([
    ["payment.paid", "order-1", id],
    ["payment.refunded", "order-1", id],
  ]);
  const secrets = webhook_secret ?? "";
  expect(hook.accepted.map(({ body: text, headers }) => verifyWebhook({ body: text, headers, secrets }).id)).toEqual(
    hook.accepted.map((message) => message.id),
  );
  expect(started.takeLogged()).toEqual([]);
});
