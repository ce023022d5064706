import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient } from "../../src/client.ts";
import { merchantContract, widgetContract } from "../../src/contract/broker/broker.ts";
import { aPlace, type Place, Product } from "../e2e/support/product.ts";
import { ServiceApi } from "../e2e/support/service-api.ts";

const SALE = "/create-recharge-transaction";
const CUSTOMER = { phone: "3001234567" };
const UNSENT = { amount: 1_000, key: "unsent" };
const UNANSWERED = { amount: 2_000, key: "unanswered" };
/** A task that runs every five seconds settles the sales that a process left, ten seconds after they began. */
const SETTLED_WITHIN = { timeout: 60_000, interval: 200 };
/** Less than the time after which the broker gives a call up and sends it again. */
const MET_WITHIN = { timeout: 8_000 };
/** Two starts, one of them after a kill, and what is settled after that. */
const TIMEOUT_MS = 120_000;

let place: Place;
let product: Product;
let line: Server;
let environment: Record<string, string>;
/** Sales that have reached the relay: it does not forward the first, nor the answer to the second. */
let met = 0;

/** Starts a relay between the broker and the service of one process. */
async function aHoldingLine(servicePort: number): Promise<Server> {
  const server = createServer((call, answer) => {
    const { method, url: path, headers } = call;
    const sale = path === SALE ? met + 1 : 0;
    if (sale === 1) {
      met = sale;
      return;
    }
    const to = { host: "127.0.0.1", port: servicePort, method, path, headers, agent: false } as const;
    const onward = request(to, (answered) => {
      if (sale === 2) {
        met = sale;
        return;
      }
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    });
    onward.on("error", () => call.socket.destroy());
    call.pipe(onward);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

beforeAll(async () => {
  place = await aPlace();
  line = await aHoldingLine(place.servicePort);
  const upstream = `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
  environment = { CUPO_BASE_URL: upstream, CUPO_AUTH_URL: upstream };
  product = await Product.start(place, { environment });
});
afterAll(async () => {
  await product?.remove();
  line?.closeAllConnections();
  line?.close();
});

const bearer = (token: string) => ({
  baseUrl: product.origin,
  headers: () => ({ authorization: `Bearer ${token}` }),
});

it("after a kill -9 in the middle of two sales, one never sent and one never answered, each is sold once", {
  timeout: TIMEOUT_MS,
}, async () => {
  const { merchant_keys, users } = product.demo;
  const api = await ServiceApi.of(product.demo);
  const before = await api.balances();
  const merchant = createClient(merchantContract, bearer(merchant_keys.server_key));
  const limits = { max_amount: 5_000, max_total: 5_000, till: "Caja 1" };
  const started = await merchant.createSession({ body: { kind: "recharge", origin: product.origin, ...limits } });
  const till = createClient(widgetContract, bearer(started.body.session));
  const { handle } = (await till.lookUp({ body: CUSTOMER })).body;
  const sell = ({ amount, key }: typeof UNSENT) =>
    till.createRecharge({ body: { handle, amount } }, { idempotencyKey: key });

  const underWay: Promise<unknown>[] = [];
  for (const [index, sale] of [UNSENT, UNANSWERED].entries()) {
    underWay.push(sell(sale).catch((error: unknown) => error));
    await expect.poll(() => met, MET_WITHIN).toBe(index + 1);
  }
  product.main.signal("SIGKILL");
  expect((await product.main.ended()).signal).toBe("SIGKILL");
  expect(await Promise.all(underWay)).toMatchObject(Array(2).fill({ name: "NoAnswerError" }));

  product = await Product.start(place, { environment });
  const sold = async () => (await merchant.recharges({ query: {} })).body.map(({ state, amount }) => [state, amount]);
  const soldOnce = [UNANSWERED, UNSENT].map(({ amount }) => ["approved", amount]);
  await expect.poll(sold, SETTLED_WITHIN).toEqual(soldOnce);
  for (const sale of [UNSENT, UNANSWERED]) {
    expect((await sell(sale)).body).toMatchObject({ state: "approved", amount: sale.amount });
  }
  const again = await ServiceApi.of(product.demo);
  const query = { "user-id": users.merchant.id, direction: "sent", limit: "500" } as const;
  const sent = (await again.client.transactionHistory({ query })).body.filter(({ details }) => details.recharge);
  expect(sent.map(({ amount }) => amount)).toEqual([UNSENT.amount, UNANSWERED.amount]);
  expect((await again.balances()).merchant).toBe(before.merchant - UNSENT.amount - UNANSWERED.amount);
});
