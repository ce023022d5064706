import type { Sql } from "../../database/connect.ts";
import { hashToken } from "../access/opaque-token.ts";
import { disableOperator } from "../people/devices/manage-operators.ts";
import { demoMerchantKeys } from "./demo-keys.ts";

/** The dependencies of {@link retireDemoBroker}. */
export interface RetireDemoBrokerOptions {
  readonly sql: Sql;
  /** The broker's key, from which the demo's own keys are derived. */
  readonly key: Uint8Array;
  readonly clock: () => Date;
}

/**
 * Disables what the demo made in the broker: sign-in addresses, operators with their sessions and links, the shop and
 * its keys. `seedDemoBroker` gives back addresses, operators, shop and keys; it leaves people disabled whom somebody
 * else disabled, and the shop too, unless a key of it was revoked. Sessions that the demo's buttons began open nothing
 * without the demo; passkeys that an operator invited stay.
 */
export async function retireDemoBroker({ sql, key, clock }: RetireDemoBrokerOptions): Promise<void> {
  const hashes = Object.values(demoMerchantKeys(key)).map(hashToken);
  await sql.begin(async (tx) => {
    const now = clock();
    const retired = await tx<{ readonly id: string; readonly role: string }[]>`
      update broker.people set sign_in_key_hash = null
      where demo_name is not null and sign_in_key_hash is not null and disabled_at is null
      returning id, role`;
    for (const { id } of retired.filter(({ role }) => role === "operator")) await disableOperator(tx, id, now);
    const [shop] = await tx<{ readonly id: string }[]>`
      update broker.merchants set disabled_at = ${now} where disabled_at is null
        and id in (select merchant_id from broker.merchant_keys where key_hash in ${tx(hashes)})
      returning id`;
    if (shop === undefined) return;
    await tx`
      update broker.merchant_keys set revoked_at = ${now} where key_hash in ${tx(hashes)} and revoked_at is null`;
  });
}
