/**
 * The whole number nearest to `numerator / denominator`; of two that are equally near, the even one, so that rounding
 * many amounts has no bias. The denominator is positive.
 */
export function roundHalfEven(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError("a denominator is positive");
  const truncated = numerator / denominator;
  const floor = numerator < truncated * denominator ? truncated - 1n : truncated;
  const twice = 2n * (numerator - floor * denominator);
  if (twice === denominator) return floor % 2n === 0n ? floor : floor + 1n;
  return twice < denominator ? floor : floor + 1n;
}
