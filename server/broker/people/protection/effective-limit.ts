import type { KnownLimits, LimitSet } from "./limit-store.ts";

/** The names of the limits that an entity sets for everybody and a person may lower for themselves. */
export const limitNames = ["payment", "day", "first_time_payee"] as const satisfies readonly (keyof LimitSet)[];

/** Returns the lower of two limits, of which null is none. */
export function effectiveLimit(one: bigint | null, other: bigint | null): bigint | null {
  if (one === null) return other;
  return other === null || one < other ? one : other;
}

/** Returns the limits that hold for a person: the entity's, or the person's own where that is lower. */
export function heldLimits({ entity, own }: Pick<KnownLimits, "entity" | "own">): LimitSet {
  const [payment, day, firstTime] = limitNames.map((name) => effectiveLimit(entity[name], own[name]));
  return { payment: payment ?? null, day: day ?? null, first_time_payee: firstTime ?? null };
}

/** A limit below this part of the entity's keeps its owner from paying, more than it keeps a thief from it. */
const FLOOR_DIVISOR = 10n;

/**
 * True if a person's own limit is so low, below a tenth of the entity's, that setting it takes a proof; where the
 * entity has no such limit, every own limit does.
 */
export function isBelowFloor(entity: bigint | null, limit: bigint | null): boolean {
  if (limit === null) return false;
  return entity === null || limit < entity / FLOOR_DIVISOR;
}
