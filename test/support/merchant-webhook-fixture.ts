import { Webhook } from "standardwebhooks";
import { v7 } from "uuid";
import { expect } from "vitest";
import type { BrokerOptions } from "../../server/broker/access/broker-options.ts";
import { createOpaqueToken, hashToken } from "../../server/broker/access/opaque-token.ts";
import { addWebhookSecret } from "../../server/broker/merchants/webhook-secrets.ts";
import { UPSTREAM_EVENTS_PATH } from "../../server/broker/people/notifications/upstream-events.ts";
import { createSealer } from "../../server/database/sealer.ts";
import { type Listening, listen } from "../../server/http/listen.ts";
import { type Client, createClient } from "../../src/client.ts";
import { merchantContract } from "../../src/contract/broker/broker.ts";
import { aBroker, ORIGIN, SHOP_ORIGIN, type TestBroker } from "./broker.ts";
import { silentLog } from "./silent-log.ts";
import { aReceiver, type Received, type WebhookReceiver } from "./webhook-receiver.ts";

/** The timeout and interval of every wait, also on a busy machine. */
export const WITHIN = Object.freeze({ timeout: 15_000, interval: 20 });
/** So short that a receiver that never answers is soon given up. */
const TIMEOUT_MS = 400;
const POLL_MS = 30;
const ON_THIS_MACHINE = ["127.0.0.0/8"];
const PRICE = 25_000;

/** A session of kind pay, as a merchant's backend started it. */
interface Order {
  readonly session_id: string;
  readonly session: string;
  readonly reference: string;
  /** Undefined for a session that a page started for an open amount. */
  readonly order?: string;
}

/** A merchant with a webhook and a real receiver behind it. */
export interface NotifiedMerchant {
  readonly id: string;
  readonly secret: string;
  readonly serverKey: string;
  readonly receiver: WebhookReceiver;
  /** A client of the broker with the merchant's server key. */
  readonly backend: Client<typeof merchantContract>;
  anOrder(fields?: { readonly order?: string; readonly expires_in?: number }): Promise<Order>;
  /** The session of an open amount, which a page of the merchant starts. */
  anOpenAmount(): Promise<Order>;
  /** The accepted messages about an order, of that type. */
  told(order: Order, type: string): readonly Received[];
  /** Waits for the one message of that type about an order, whose signature must be good. */
  hears(order: Order, type: string): Promise<Received>;
}

/** A broker whose merchants get webhooks about payments. */
export interface MerchantWebhookFixture {
  readonly broker: TestBroker;
  /** A merchant of the same user, with other keys. */
  aMerchant(): Promise<NotifiedMerchant>;
  /** Gives a merchant one more live secret. */
  addSecret(merchantId: string): Promise<string>;
  /** Pays at the service, past the broker; returns the payment's id. */
  pay(order: Order, fields?: { readonly status?: "pending" }): Promise<string>;
  refund(id: string, amount?: number): Promise<void>;
  /** The address of the broker to which the service sends its events. */
  readonly eventsUrl: string;
  stop(): Promise<void>;
}

async function addSecret(broker: TestBroker, merchantId: string): Promise<string> {
  const { key, random, clock } = broker.options;
  const making = { sealer: createSealer(key, random), random, now: clock() };
  return broker.sql.begin((tx) => addWebhookSecret(tx, merchantId, making));
}

/** True if a message is about an order. */
function isOf({ event }: Received, order: Order): boolean {
  return event.data.session_id === order.session_id;
}

/** Returns a secret's signature of a message; its time may be too far ahead for the library to verify it. */
function signatureOf(secret: string, { id, body, headers }: Received): string {
  return new Webhook(secret).sign(id, new Date(Number(headers["webhook-timestamp"]) * 1000), body);
}

async function makeMerchant(broker: TestBroker, receivers: WebhookReceiver[]): Promise<NotifiedMerchant> {
  const receiver = await aReceiver();
  receivers.push(receiver);
  const { sql, shop, options } = broker;
  const [id, created_at] = [v7(), options.clock()];
  const row = { id, user_id: shop.id, name: "Told", webhook_url: receiver.url, open_amount_limit: 10_000_000n };
  await sql`insert into broker.merchants ${sql({ ...row, created_at })}`;
  await sql`insert into broker.merchant_origins ${sql({ merchant_id: id, origin: SHOP_ORIGIN })}`;
  const [key, pageKey] = [createOpaqueToken("sk_", options.random), createOpaqueToken("pk_", options.random)];
  await sql`
    insert into broker.merchant_keys ${sql([
      { key_hash: hashToken(key), merchant_id: id, kind: "server", created_at },
      { key_hash: hashToken(pageKey), merchant_id: id, kind: "publishable", created_at },
    ])}`;
  const secret = await addSecret(broker, id);
  const clientWith = (token: string) =>
    createClient(merchantContract, {
      ...{ baseUrl: ORIGIN, fetch: broker.fetch },
      headers: () => ({ authorization: `Bearer ${token}`, ...(token === key ? {} : { origin: SHOP_ORIGIN }) }),
    });
  const client = clientWith(key);
  const told = (order: Order, type: string) =>
    receiver.accepted.filter((message) => isOf(message, order) && message.event.type === type);
  return {
    ...{ id, secret, serverKey: key, receiver, told, backend: client },
    async anOrder(fields = {}) {
      const body = { kind: "pay" as const, amount: PRICE, order: v7(), origin: SHOP_ORIGIN, ...fields };
      const { reference = "", ...session } = (await client.createSession({ body })).body;
      return { ...session, reference, order: body.order };
    },
    async anOpenAmount() {
      const body = { kind: "pay" as const, amount: PRICE, origin: SHOP_ORIGIN };
      const { reference = "", ...session } = (await clientWith(pageKey).createSession({ body })).body;
      return { ...session, reference };
    },
    async hears(order, type) {
      await expect.poll(() => told(order, type).length, WITHIN).toBe(1);
      const [message] = told(order, type);
      if (message === undefined) throw new Error("unreachable");
      expect(message.headers["webhook-signature"]?.split(" ")).toContain(signatureOf(secret, message));
      return message;
    },
  };
}

/** How a fixture differs from the usual one. */
interface FixtureVariant {
  readonly merchantWebhooks?: BrokerOptions["merchantWebhooks"];
  /** Instead of the real monotonic clock, by which rates are limited. */
  readonly now?: BrokerOptions["now"];
  /** Instead of the real service. */
  readonly upstream?: BrokerOptions["upstream"];
  /** True if the service sends payment events to the broker. Default: true, unless there is an `upstream`. */
  readonly isRegistered?: boolean;
}

/** Starts a fixture; call `stop` when done. */
export async function aMerchantWebhookFixture(variant: FixtureVariant = {}): Promise<MerchantWebhookFixture> {
  const { merchantWebhooks, now, upstream, isRegistered = upstream === undefined } = variant;
  const webhooks = { allowed: ON_THIS_MACHINE, timeoutMs: TIMEOUT_MS, pollMs: POLL_MS };
  const broker = await aBroker(
    { merchantWebhooks: { ...webhooks, ...merchantWebhooks }, ...(now && { now }), ...(upstream && { upstream }) },
    { webhooks: { allowed: ON_THIS_MACHINE, pollMs: POLL_MS } },
  );
  const listening: Listening = await listen(broker.app, {
    ...{ host: "127.0.0.1", port: 0, log: silentLog },
    newRequestId: () => v7(),
  });
  const eventsUrl = `http://127.0.0.1:${listening.port}${UPSTREAM_EVENTS_PATH}`;
  if (isRegistered) await broker.registerWebhook(eventsUrl);
  const receivers: WebhookReceiver[] = [];
  const { ana, shop, entity } = broker;
  return {
    ...{ broker, eventsUrl },
    aMerchant: () => makeMerchant(broker, receivers),
    addSecret: (merchantId) => addSecret(broker, merchantId),
    async pay(order, fields = {}) {
      const query = { reference: order.reference };
      const { payload } = (await entity.client.transactionQr({ query })).body;
      const body = { amount: PRICE, from_user_id: ana.id, to_user_id: shop.id, details: { qr: payload }, ...fields };
      const { id, status } = (await entity.client.createTransaction({ body })).body;
      expect(status).toBe(fields.status ?? "approved");
      return id;
    },
    async refund(id, amount) {
      await entity.client.reverseTransaction({ body: { id, ...(amount === undefined ? {} : { amount }) } });
    },
    async stop() {
      await listening.close(1_000);
      await broker.stop();
      for (const receiver of receivers) await receiver.down();
    },
  };
}
