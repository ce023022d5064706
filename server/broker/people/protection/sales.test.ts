import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { aBroker, type PersonClient, type TestBroker } from "../../../../test/support/broker.ts";
import { aUser } from "../../../../test/support/service.ts";
import { aTill, fundShop, topUpsSent } from "../../../../test/support/till.ts";

let broker: TestBroker;
let shop: PersonClient;

beforeAll(async () => {
  broker = await aBroker({ wait: async () => undefined });
  await fundShop(broker);
  shop = await broker.as("merchant");
});
afterAll(() => broker.stop());

beforeEach(async () => {
  await broker.sql`delete from broker.own_limits`;
  await entityLimits({});
  // Another business day, on which nothing is sold yet.
  broker.advance(86_400);
  shop = await broker.as("merchant");
});

async function entityLimits({ payment = null, day = null }: Record<string, number | null>) {
  await broker.sql`
    update broker.entity_rules set payment_limit = ${payment}, day_limit = ${day}, first_time_limit = null`;
}

const over = (name: string, left: number) => ({ code: "limit_exceeded", exceededLimit: { name, left } });

it("the entity's limits for a payment and a day hold for tills, whatever their sessions allow", async () => {
  await entityLimits({ payment: 100_000, day: 250_000 });
  const till = await aTill(broker);
  const handle = await till.find();
  await expect(till.sell(handle, 1_001)).rejects.toMatchObject(over("personal_payment_limit", 1_000));
  expect((await till.sell(handle, 1_000)).body.state).toBe("approved");
  const other = await aTill(broker);
  expect((await other.sell(await other.find(), 1_000)).body.state).toBe("approved");
  await expect(till.sell(handle, 501)).rejects.toMatchObject(over("personal_daily_limit", 500));
  expect((await shop.myLimits({})).body.spent_today).toBe(2_000);
  broker.advance(86_400);
  const next = await aTill(broker);
  expect((await next.sell(await next.find(), 1_000)).body.state).toBe("approved");
});

it("a person's own limits hold for the tills that sell in the person's name, and for both together", async () => {
  await shop.putMyLimits({ body: { day: 3_000, proof: { demo: true } } });
  const till = await aTill(broker);
  const handle = await till.find();
  expect((await till.sell(handle, 2_000)).body.state).toBe("approved");
  const { handle: ben } = (await shop.lookUp({ body: { phone: broker.ben.phone } })).body;
  const refused = shop.openApproval({ body: { handle: ben, amount: 1_001 } });
  await expect(refused).rejects.toMatchObject(over("personal_daily_limit", 1_000));
  const { id, payee } = (await shop.openApproval({ body: { handle: ben, amount: 1_000 } })).body;
  const body = { payee, amount: 1_000, demo: true as const };
  expect((await shop.confirmApproval({ params: { id }, body })).body.state).toBe("approved");
  await expect(till.sell(handle, 1)).rejects.toMatchObject(over("personal_daily_limit", 0));
});

it("twenty sales at once at twenty tills stay within the day's limit of a user who is not in the app", async () => {
  await entityLimits({ day: 550_000 });
  const { id } = await aUser(broker.entity, { name: "Never in the app", quota: 1_000_000 });
  await broker.sql`update broker.merchants set user_id = ${id}`;
  const tills = await Promise.all(Array.from({ length: 20 }, () => aTill(broker)));
  const sales: (() => Promise<unknown>)[] = [];
  for (const till of tills) {
    const handle = await till.find();
    sales.push(() => till.sell(handle, 1_000));
  }
  const before = await topUpsSent(broker);
  const answers = await Promise.allSettled(sales.map((sell) => sell()));
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  expect((await topUpsSent(broker)) - before).toBe(5);
  await broker.sql`update broker.merchants set user_id = ${broker.shop.id}`;
});
