import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createClient } from "../../../../src/client.ts";
import { merchantContract } from "../../../../src/contract/broker/broker.ts";
import { asOperator, type OperatorClient } from "../../../../test/support/as-operator.ts";
import { aBroker, ORIGIN, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";
import { agreed, anotherOperator } from "../../../../test/support/second-operator.ts";
import { aTill, fundShop, topUpsSent } from "../../../../test/support/till.ts";

let broker: TestBroker;
let admin: OperatorClient;
let second: OperatorClient;
/** A merchant that sells, and a sale of it that was approved. */
let merchantId: string;
let soldId: string;

beforeAll(async () => {
  broker = await aBroker({ wait: async () => undefined });
  await fundShop(broker);
  admin = await asOperator(broker);
  second = (await anotherOperator(broker, "admin")).client;
});
afterAll(() => broker.stop());
beforeEach(async () => {
  const body = { name: "Caja", user_id: broker.shop.id, origins: [SHOP_ORIGIN], sells_top_ups: true };
  const made = await agreed(second, (await admin.createMerchant({ body })).body);
  merchantId = made.id;
  const headers = () => ({ authorization: `Bearer ${made.server_key}` });
  const merchant = createClient(merchantContract, { baseUrl: ORIGIN, fetch: broker.fetch, headers });
  const till = await aTill({ ...broker, merchant });
  soldId = (await till.sell(await till.find(), 1_000)).body.id;
});

/** A copy of the sale that a process left behind before it was sent. */
async function unsent(): Promise<string> {
  const id = v7();
  await broker.sql`
    insert into broker.recharges (id, session_id, merchant_id, till, day, attempt_key, fingerprint, look_up_id,
      from_user_id, to_user_id, masked_name, amount, currency, state, created_at)
    select ${id}, session_id, merchant_id, till, day, ${id}, fingerprint, look_up_id, from_user_id, to_user_id,
      masked_name, amount, currency, 'running', ${broker.options.clock()}
    from broker.recharges where id = ${soldId}`;
  return id;
}

/** Resets the sale to how a process leaves it that never got the answer. */
async function unheard(): Promise<string> {
  await broker.sql`
    update broker.recharges set state = 'running', finished_at = null, transaction_id = null,
      transaction_reference = null, created_at = ${broker.options.clock()}
    where id = ${soldId}`;
  return soldId;
}

const stops = {
  "is disabled": () => admin.disableMerchant({ params: { id: merchantId } }),
  "may sell no more": () => admin.changeMerchant({ params: { id: merchantId }, body: { sells_top_ups: false } }),
};

it.each(Object.entries(stops))("of a merchant that %s, what was not sent is not sent", async (_, stop) => {
  const [lost, sold] = [await unsent(), await unheard()];
  const before = await topUpsSent(broker);
  await stop();
  // Within the minute in which it would be sent again.
  broker.advance(15);
  await broker.reconcilePending();
  const rows = await broker.sql<{ id: string; state: string; reason: string | null }[]>`
    select id, state, reason from broker.recharges where merchant_id = ${merchantId}`;
  expect(new Map(rows.map(({ id, state, reason }) => [id, [state, reason]]))).toEqual(
    new Map([
      [sold, ["approved", null]],
      [lost, ["failed", "not_carried_out"]],
    ]),
  );
  expect(await topUpsSent(broker)).toBe(before);
});

it("of a merchant that still sells, what was not sent is sold", async () => {
  const lost = await unsent();
  broker.advance(15);
  await broker.reconcilePending();
  const [row] = await broker.sql`select state from broker.recharges where id = ${lost}`;
  expect(row).toEqual({ state: "approved" });
});
