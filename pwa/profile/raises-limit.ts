/** One limit as it stands: the entity's, and the person's own; null is none. */
export interface LimitAsSet {
  readonly entity: number | null;
  readonly own: number | null;
}

/** Returns the limit that is in effect; null is none. */
export function effectiveLimit({ entity, own }: LimitAsSet): number | null {
  return own ?? entity;
}

/** True if the new own limit lets more through than the old one: a proof is for one direction. */
export function raisesLimit(limit: LimitAsSet, own: number | null): boolean {
  const before = effectiveLimit(limit) ?? Number.POSITIVE_INFINITY;
  const after = effectiveLimit({ ...limit, own }) ?? Number.POSITIVE_INFINITY;
  return after > before;
}
