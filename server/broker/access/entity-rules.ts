import type { Sql, Tx } from "../../database/connect.ts";

/**
 * The rules that the entity sets for its people: limits of their payments, the hours for which a device is new and the
 * limit of a new one, and the quota above which an enrolment takes two operators. Amounts are in minor units; null
 * means that the entity set none.
 */
export interface EntityRules {
  /** Hours for which a re-enrolled device may not pay, and a person's first device pays at most its limit. */
  readonly new_device_hours: number;
  /** Most that a person pays with a first device while it is new; null: {@link newDeviceLimit}'s default. */
  readonly new_device_limit: bigint | null;
  /** Above this quota an enrolment takes two operators. */
  readonly two_operators_above: bigint | null;
  readonly payment_limit: bigint | null;
  readonly day_limit: bigint | null;
  readonly first_time_limit: bigint | null;
}

/** Currency units: enough to try the app with, not to spend a quota. */
const NEW_DEVICE_LIMIT = 200_000n;

/**
 * Returns the most that a person pays with a first device while it is new, in minor units: the limit that the entity
 * set, or else 200 000 currency units.
 */
export function newDeviceLimit(set: bigint | null, digits: number): bigint {
  return set ?? NEW_DEVICE_LIMIT * 10n ** BigInt(digits);
}

/** Reads the rules that the entity has set for its people. */
export async function readEntityRules(sql: Sql | Tx): Promise<EntityRules> {
  const [row] = await sql<EntityRules[]>`
    select new_device_hours, new_device_limit, two_operators_above, payment_limit, day_limit, first_time_limit
    from broker.entity_rules`;
  if (row === undefined) throw new Error("the entity's rules are gone");
  return row;
}

/** Changes the given rules of the entity, leaves the others as they are, and returns all. */
export async function changeEntityRules(tx: Tx, changes: Partial<EntityRules>): Promise<EntityRules> {
  await tx`update broker.entity_rules set ${tx(changes)}`;
  return readEntityRules(tx);
}
