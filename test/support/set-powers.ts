import type { MerchantSettings } from "../../server/broker/merchants/manage-merchants.ts";
import { changeMerchant } from "../../server/broker/merchants/manage-merchants.ts";
import { createSealer } from "../../server/database/sealer.ts";
import type { TestBroker } from "./broker.ts";

/** Gives all merchants and their server keys powers and limits, or takes them, as the command line does. */
export async function setPowers(
  { sql, options }: Pick<TestBroker, "sql" | "options">,
  powers: Pick<MerchantSettings, "firstParty" | "sellsTopUps" | "refunds" | "refundLimit">,
): Promise<void> {
  const { key, random, clock } = options;
  const making = { sealer: createSealer(key, random), random, now: clock() };
  const merchants = await sql<{ readonly id: string }[]>`select id from broker.merchants where disabled_at is null`;
  for (const { id } of merchants) {
    await sql.begin("isolation level read committed", (tx) => changeMerchant(tx, id, powers, making));
  }
}
