import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "../../../../src/client.ts";
import { merchantContract } from "../../../../src/contract/broker/broker.ts";
import { asOperator } from "../../../../test/support/as-operator.ts";
import { aBroker, anOrder, ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";
import { setPowers } from "../../../../test/support/set-powers.ts";
import { type Broker, createBroker } from "../../create-broker.ts";

/** The fate of calls that refund, on the way from the broker to the service and back. */
type Fate = "passes" | "is lost" | "loses its answer";

let broker: TestBroker;
/** Another process of the broker, on the same database, whose network a test may break. */
let frail: Broker;
let network: Server;
let fate: Fate = "passes";
let payment: string;

async function aFrailNetwork(target: string): Promise<Server> {
  const server = createServer(async (incoming, response) => {
    const { url = "", method = "GET", headers } = incoming;
    const body = await text(incoming);
    const refunds = url === "/reverse-transaction";
    if (refunds && fate === "is lost") return response.destroy();
    const passed = ["authorization", "content-type", "idempotency-key"].flatMap((name) => {
      const value = headers[name];
      return typeof value === "string" ? [[name, value] as [string, string]] : [];
    });
    const answer = await fetch(target + url, { method, headers: passed, ...(method === "GET" ? {} : { body }) });
    if (refunds && fate === "loses its answer") return response.destroy();
    return response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

beforeAll(async () => {
  broker = await aBroker({ wait: async () => undefined });
  const { upstream } = broker.options;
  network = await aFrailNetwork(upstream.baseUrl);
  const baseUrl = `http://127.0.0.1:${(network.address() as AddressInfo).port}`;
  frail = createBroker({ ...broker.options, upstream: { ...upstream, baseUrl } });
});
afterAll(async () => {
  await frail.close();
  network.close();
  network.closeAllConnections();
  await broker.stop();
});
beforeEach(async () => {
  await setPowers(broker, { refunds: true });
  const { reference } = await anOrder(broker);
  const { payload } = (await broker.entity.client.transactionQr({ query: { reference } })).body;
  const parties = { from_user_id: broker.ana.id, to_user_id: broker.shop.id };
  const body = { amount: 25_000, ...parties, details: { qr: payload } };
  payment = (await broker.entity.client.createTransaction({ body })).body.id;
});

/** Asks for a refund of 5 000 with a key, at one of the two processes. */
async function refund(idempotencyKey: string, { app }: Pick<Broker, "app"> = broker) {
  const backend = createClient(merchantContract, {
    baseUrl: ORIGIN,
    fetch: async (input, init) => app.fetch(new Request(input, init)),
    headers: () => ({ authorization: `Bearer ${broker.demo.merchantKeys.serverKey}`, host: "localhost:4000" }),
  });
  const call = { params: { payment_id: payment }, body: { amount: 5_000 } };
  return (await backend.createRefund(call, { idempotencyKey })).body;
}

async function refundOnFrail(how: Fate, key: string) {
  // Past the pause that calls make after failures in a row.
  broker.advance(3);
  fate = how;
  const answer = await refund(key, frail);
  fate = "passes";
  return answer;
}

/** How much the service gave back of the payment. */
const givenBack = async () =>
  (await broker.entity.client.transaction({ query: { id: payment } })).body.reversed_amount ?? 0;
const known = async (id: string) =>
  (await broker.merchant.refunds({ params: { payment_id: payment } })).body.find((one) => one.id === id);

describe("a refund whose call to the service", () => {
  it("was lost is running, without a sum, and is made once when it is asked for again in time", async () => {
    const key = v7();
    const first = await refundOnFrail("is lost", key);
    expect(first).toMatchObject({ state: "running", amount: 5_000 });
    expect(first).not.toHaveProperty("refunded_amount");
    expect(await givenBack()).toBe(0);
    const again = await Promise.all([refund(key), refund(key), refund(key)]);
    expect(again.map(({ id, state }) => `${id} ${state}`)).toEqual(Array(3).fill(`${first.id} approved`));
    expect(await givenBack()).toBe(5_000);
  });

  it("lost its answer is settled by any process, though nobody asks, and is not made again", async () => {
    const key = v7();
    const first = await refundOnFrail("loses its answer", key);
    expect(first.state).toBe("running");
    expect(await givenBack()).toBe(5_000);
    broker.advance(11);
    await Promise.all([broker.reconcilePending(), frail.reconcilePending()]);
    expect(await known(first.id)).toMatchObject({ state: "approved", transaction_id: expect.any(String) });
    expect(await refund(key)).toMatchObject({ id: first.id, state: "approved", refunded_amount: 5_000 });
    expect(await givenBack()).toBe(5_000);
  });

  it("was lost for a minute is never made: its key is void", async () => {
    const key = v7();
    const first = await refundOnFrail("is lost", key);
    broker.advance(61);
    await broker.reconcilePending();
    expect((await known(first.id))?.state).toBe("failed");
    expect(await refund(key)).toMatchObject({ id: first.id, state: "failed" });
    expect(await givenBack()).toBe(0);
    expect((await refund(v7())).state).toBe("approved");
  });
});

const admin = () => asOperator(broker);
const shopUser = () => ({ params: { user_id: broker.shop.id } });

/** Each takes something away, and returns the function that gives it back. */
const stops: Readonly<Record<string, () => Promise<() => Promise<unknown>>>> = {
  "the merchant's power": async () => {
    await setPowers(broker, { refunds: false });
    return () => setPowers(broker, { refunds: true });
  },
  "the freedom of the merchant's user": async () => {
    await (await admin()).freezePerson(shopUser());
    return async () => (await admin()).unfreezePerson(shopUser());
  },
  "the key that asked": async () => {
    const { sql } = broker;
    await sql`update broker.merchant_keys set revoked_at = now() where refunds`;
    return async () => sql`update broker.merchant_keys set revoked_at = null`;
  },
};

describe("a refund that was not sent", () => {
  it.each(Object.entries(stops))("is not sent any more once %s was taken away", async (_, stop) => {
    const lost = await refundOnFrail("is lost", v7());
    const sent = await refundOnFrail("loses its answer", v7());
    const giveBack = await stop();
    // Within the minute in which it would be sent again.
    broker.advance(15);
    await broker.reconcilePending();
    const rows = await broker.sql<{ id: string; state: string; reason: string | null }[]>`
      select id, state, reason from broker.refunds where id in (${lost.id}, ${sent.id}) order by id`;
    expect(rows.map(({ state, reason }) => [state, reason])).toEqual([
      ["failed", "not_carried_out"],
      ["approved", null],
    ]);
    expect(await givenBack()).toBe(5_000);
    await giveBack();
  });
});
