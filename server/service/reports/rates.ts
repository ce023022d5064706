import { roundHalfEven } from "../../ledger/decide/round-half-even.ts";

/** Basis points of a whole. */
const WHOLE_BPS = 10_000n;

/** A ratio in basis points, rounded half to even; null without a denominator. */
export function rateOf(part: bigint, whole: bigint): number | null {
  if (whole === 0n) return null;
  const sign = whole < 0n ? -1n : 1n;
  return Number(roundHalfEven(sign * part * WHOLE_BPS, sign * whole));
}

/** The mean in minor units, rounded half to even; null of nothing. */
export function meanOf(sum: bigint, count: bigint): bigint | null {
  return count === 0n ? null : roundHalfEven(sum, count);
}

/**
 * Returns the share of each part in the sum of all, in basis points by largest remainder: they sum to 10 000, and none
 * is more than one basis point off. Of equal remainders the earlier part is rounded up first. Every share is null where
 * the parts sum to zero.
 */
export function sharesOf(parts: readonly bigint[]): (number | null)[] {
  const whole = parts.reduce((sum, part) => sum + part, 0n);
  if (whole === 0n) return parts.map(() => null);
  const floors = parts.map((part) => (part * WHOLE_BPS) / whole);
  const left = Number(WHOLE_BPS - floors.reduce((sum, floor) => sum + floor, 0n));
  const remainders = parts.map((part, index) => ({ index, remainder: (part * WHOLE_BPS) % whole }));
  remainders.sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  const raised = new Set(remainders.slice(0, left).map(({ index }) => index));
  return floors.map((floor, index) => Number(floor) + (raised.has(index) ? 1 : 0));
}
