import type { Sql, Tx } from "../../database/connect.ts";
import { hashToken } from "../access/opaque-token.ts";
import type { OperatorRole } from "../access/principal.ts";
import { type DemoMerchantKeys, demoMerchantKeys, demoSignInKey } from "./demo-keys.ts";

interface DemoName {
  /** The name by which the demo knows the person, such as `payer`. */
  readonly person: string;
  readonly name: string;
}

/** Somebody whom the demo lets in. A payer or merchant is a user of the service; an operator is none. */
type DemoPerson = DemoName &
  (
    | { readonly role: "payer" | "merchant"; readonly userId: string }
    | { readonly role: "operator"; readonly operatorRole: OperatorRole }
  );

/** The dependencies of {@link seedDemoBroker}, and the people and the shop that it makes. */
export interface SeedDemoBrokerOptions {
  readonly sql: Sql;
  /** The broker's key: the demo's own keys are derived from it. */
  readonly key: Uint8Array;
  readonly publicOrigin: string;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly people: readonly DemoPerson[];
  /** The shop: its user at the service, and every origin that its page may have. */
  readonly merchant: { readonly userId: string; readonly name: string; readonly origins: readonly string[] };
}

/** The broker's part of `demo.json`: the shop's keys, and the sign-in addresses. */
export interface DemoBroker {
  readonly merchantKeys: DemoMerchantKeys;
  /** The sign-in address of each person. */
  readonly signInUrls: Readonly<Record<string, string>>;
}

type Seed = SeedDemoBrokerOptions;

async function seedPerson(tx: Tx, { key, clock, newId }: Seed, who: DemoPerson): Promise<void> {
  const isOperator = who.role === "operator";
  const [role, userId, operatorRole] = isOperator ? ["operator", null, who.operatorRole] : ["person", who.userId, null];
  await tx`
    insert into broker.people
      (id, user_id, role, operator_role, demo_name, demo_role, display_name, sign_in_key_hash, created_at)
    values (${newId()}, ${userId}, ${role}, ${operatorRole}, ${who.person}, ${who.role}, ${who.name},
      ${hashToken(demoSignInKey(key, who.person))}, ${clock()})
    on conflict (demo_name) do update set user_id = excluded.user_id, role = excluded.role,
      operator_role = excluded.operator_role,
      disabled_at = case when people.sign_in_key_hash is null then null else people.disabled_at end,
      demo_role = excluded.demo_role, display_name = excluded.display_name,
      sign_in_key_hash = excluded.sign_in_key_hash`;
}

async function seedMerchant(tx: Tx, { key, clock, newId, merchant }: Seed): Promise<void> {
  const { serverKey, publishableKey } = demoMerchantKeys(key);
  const hashes = [serverKey, publishableKey].map(hashToken);
  // Keys that were revoked are those of a demo that was turned off, and is on again.
  const [restored] = await tx<{ readonly merchant_id: string }[]>`
    update broker.merchant_keys set revoked_at = null where key_hash in ${tx(hashes)} and revoked_at is not null
    returning merchant_id`;
  if (restored !== undefined)
    await tx`update broker.merchants set disabled_at = null where id = ${restored.merchant_id}`;
  const [known] = await tx<{ readonly merchant_id: string }[]>`
    select merchant_id from broker.merchant_keys where key_hash = ${hashToken(serverKey)}`;
  const id = known?.merchant_id ?? newId();
  await tx`
    insert into broker.merchants (id, user_id, name, sells_top_ups, created_at)
    values (${id}, ${merchant.userId}, ${merchant.name}, true, ${clock()})
    on conflict (id) do update set user_id = excluded.user_id, name = excluded.name, sells_top_ups = true`;
  for (const origin of merchant.origins) {
    await tx`
      insert into broker.merchant_origins (merchant_id, origin) values (${id}, ${origin}) on conflict do nothing`;
  }
  for (const [kind, token] of Object.entries({ server: serverKey, publishable: publishableKey })) {
    await tx`
      insert into broker.merchant_keys (key_hash, merchant_id, kind, created_at, sells_top_ups)
      values (${hashToken(token)}, ${id}, ${kind}, ${clock()}, ${kind === "server"})
      on conflict (key_hash) do update set sells_top_ups = excluded.sells_top_ups`;
  }
}

/**
 * Makes the demo's people, shop and keys in the broker, updates those that are there, and enables again what
 * `retireDemoBroker` disabled. Keys and addresses are derived: every start returns the same.
 */
export async function seedDemoBroker(options: SeedDemoBrokerOptions): Promise<DemoBroker> {
  const { sql, key, people, publicOrigin } = options;
  await sql.begin(async (tx) => {
    // Two processes that start at once take turns.
    await tx`lock table broker.people, broker.merchants in share row exclusive mode`;
    for (const who of people) await seedPerson(tx, options, who);
    await seedMerchant(tx, options);
  });
  const signInUrls = people.map(({ person }) => [
    person,
    `${publicOrigin}/demo/sign-in?key=${demoSignInKey(key, person)}`,
  ]);
  return { merchantKeys: demoMerchantKeys(key), signInUrls: Object.fromEntries(signInUrls) };
}
