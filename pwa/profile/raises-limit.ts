/** One spending limit as it is set, in currency units: the entity's, and the person's own; null is none. */
export interface LimitAsSet {
  readonly entity: number | null;
  readonly own: number | null;
}

/** Returns the limit that applies: the person's own, or else the entity's; null is none. */
export function effectiveLimit({ entity, own }: LimitAsSet): number | null {
  return own ?? entity;
}

/** True if a new own limit allows more than the limit that applies now: raising and lowering take different proofs. */
export function raisesLimit(limit: LimitAsSet, own: number | null): boolean {
  const before = effectiveLimit(limit) ?? Number.POSITIVE_INFINITY;
  const after = effectiveLimit({ ...limit, own }) ?? Number.POSITIVE_INFINITY;
  return after > before;
}
