/** Two entities in one direction: the debtor may come to owe the creditor. */
export interface Direction {
  readonly creditorId: string;
  readonly debtorId: string;
}

/**
 * The exposure of a debtor to a creditor, posted and held: that of this writer's slot, with its slice of the limit, and
 * that of all other slots. Amounts are minor units; where the debtor is owed more than it owes they are below zero.
 */
export interface Exposure extends Direction {
  /** The limit of the debtor's exposure: the creditor's own limit, or the default without one. */
  readonly limit: bigint;
  readonly setLimit: bigint | null;
  readonly limitWhereUnset: bigint;
  /** The debt from the postings and holds of this writer's slot. */
  readonly used: bigint;
  /** The part of `used` that is held. */
  readonly held: bigint;
  /** The upper bound of `used`: the slot's slice of the limit. */
  readonly granted: bigint;
  /** The same of all other slots, and what is left of their slices. */
  readonly others: { readonly used: bigint; readonly held: bigint; readonly unused: bigint };
  /** True once the creditor was notified that 80 % of the limit are used. */
  readonly isNear: boolean;
  /** True if every slice is locked: then this writer divides the limit anew. */
  readonly isWhole: boolean;
}

/**
 * The exposure of a direction as a batch leaves it, where the batch changed it or divided its limit anew; `reclaims` is
 * true if the other slots lose the rest of their slices.
 */
export interface ExposureChange extends Exposure {
  readonly reclaims: boolean;
}

/**
 * The division of a limit after a batch that locked all of its slices: the writer's new slice, if the other slots lose
 * the rest of theirs, and if the exposure is near the limit.
 */
export interface Division {
  readonly granted: bigint;
  /** True if the other slots lose the rest of their slices. */
  readonly reclaims: boolean;
  readonly isNear: boolean;
}

/** Returns a direction as one text, the key of its exposure: the creditor's id, then the debtor's. */
export function directionKey({ creditorId, debtorId }: Direction): string {
  return `${creditorId}|${debtorId}`;
}

/** Returns the debtor's whole debt to the creditor, over all slots and with holds. */
export function exposureOf({ used, others }: Exposure): bigint {
  return used + others.used;
}

/** Returns the debtor's whole debt to the creditor by postings alone, over all slots and without holds. */
export function owedOf({ used, held, others }: Exposure): bigint {
  return used - held + (others.used - others.held);
}

/** The least exposure that is near the limit. */
function nearFrom(limit: bigint): bigint {
  return (limit * 8n + 9n) / 10n;
}

/** True if an exposure is above zero and at least 80 % of its limit. */
export function isNearLimit(exposure: bigint, limit: bigint): boolean {
  return exposure > 0n && exposure >= nearFrom(limit);
}

/**
 * The upper bound of all slices together. Until the creditor is notified it is below 80 %, so that the writer that
 * crosses 80 % divides the limit anew and notices the crossing.
 */
function capOf({ limit, isNear }: Pick<Exposure, "limit" | "isNear">): bigint {
  return isNear ? limit : nearFrom(limit) - 1n;
}

/**
 * True if the division, or the notice to the creditor, no longer fits the limit: a refund or a lower limit does that.
 */
export function isOutdated(exposure: Exposure): boolean {
  const { limit, used, granted, others, isNear } = exposure;
  const committed = (granted > used ? granted : used) + others.used + others.unused;
  return committed > capOf(exposure) || (isNear && !isNearLimit(exposureOf(exposure), limit));
}

/**
 * Returns the exposure with a slice of all that is left of the limit, for a writer that locked every slice, or for a
 * preview.
 */
export function wholeExposure(exposure: Exposure): Exposure {
  return { ...exposure, isWhole: true, granted: exposure.limit - exposure.others.used };
}

/**
 * Divides a limit: the writer gets half of the unassigned rest, so that slices shrink towards the limit; other slots
 * keep theirs while that leaves enough.
 */
export function divide(exposure: Exposure): Division {
  const total = exposureOf(exposure);
  const isNear = isNearLimit(total, exposure.limit);
  const room = capOf({ limit: exposure.limit, isNear }) - total;
  const reclaims = room < exposure.others.unused;
  const free = reclaims ? room : room - exposure.others.unused;
  return { granted: exposure.used + (free > 0n ? free / 2n : 0n), reclaims, isNear };
}
