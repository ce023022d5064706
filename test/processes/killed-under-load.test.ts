import { expect, it } from "vitest";
import { connect, type Sql } from "../../server/database/connect.ts";
import { aPlace, Product } from "../e2e/support/product.ts";
import { ServiceApi } from "../e2e/support/service-api.ts";
import { ledgerFaults } from "../support/a-ledger.ts";
import { LONG } from "../support/long-tests.ts";
import { payUntilAnswered } from "../support/pay-until-answered.ts";

const ROUNDS = LONG ? 5 : 1;
const CLIENTS = 32;

/** Runs work on a connection to the product's database of its own. */
async function on<T>({ demo }: Product, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connect(demo.database_url, { max: 1, applicationName: "cupo test" });
  return work(sql).finally(() => sql.end());
}

async function paymentIds(sql: Sql): Promise<string[]> {
  return (await sql<{ id: string }[]>`select id from service.transactions`).map(({ id }) => id);
}

it.each([0, 2])("no payment is lost or made twice when the process with %i HTTP threads is killed", async (threads) => {
  const place = await aPlace();
  const environment = { CUPO_HTTP_THREADS: String(threads) };
  let product = await Product.start(place, { environment });
  try {
    const { payer, merchant } = product.demo.users;
    const { client } = await ServiceApi.of(product.demo);
    for (let round = 1; round <= ROUNDS; round += 1) {
      const before = await on(product, paymentIds);
      const load = payUntilAnswered(client, { name: `${round}`, clients: CLIENTS, from: payer.id, to: merchant.id });
      await expect.poll(() => load.answered.size).toBeGreaterThan(CLIENTS);
      const flowed = load.answered.size;
      product.main.signal("SIGKILL");
      await product.main.ended();
      product = await Product.start(place, { environment });
      await expect.poll(() => load.answered.size).toBeGreaterThan(flowed + CLIENTS);
      await load.end();
      expect(load.faults).toEqual([]);
      expect(load.failed).toBeGreaterThan(0);
      expect((await on(product, paymentIds)).sort()).toEqual([...before, ...load.answered].sort());
      expect(await on(product, ledgerFaults)).toEqual([]);
    }
  } finally {
    await product.remove();
  }
});
