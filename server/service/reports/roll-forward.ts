import type { CreditFigures } from "./read-credit-figures.ts";

/** The roll-forward of outstanding principal from the beginning of a period to its end, in minor units. */
type PrincipalRollForward = Readonly<
  Record<"opening" | "granted" | "cancelled" | "repaid" | "written_off" | "closing", bigint>
>;

/** The roll-forward of unpaid interest from the beginning of a period to its end, in minor units. */
type InterestRollForward = Readonly<
  Record<"opening" | "accrued" | "cancelled" | "paid" | "written_off" | "closing", bigint>
>;

function principalOf({ granted, cancelled, repaid, writtenOff }: CreditFigures): bigint {
  return granted - cancelled - repaid - writtenOff;
}

function interestOf(figures: CreditFigures): bigint {
  return figures.interestAccrued - figures.interestCancelled - figures.interestPaid - figures.interestWrittenOff;
}

/** Rolls principal forward by the figures of the days before a period and within it. */
export function rollPrincipal(before: CreditFigures, within: CreditFigures): PrincipalRollForward {
  const { granted, cancelled, repaid, writtenOff } = within;
  const opening = principalOf(before);
  const closing = opening + principalOf(within);
  return { opening, granted, cancelled, repaid, written_off: writtenOff, closing };
}

/** Rolls interest forward by the figures of the days before a period and within it. */
export function rollInterest(before: CreditFigures, within: CreditFigures): InterestRollForward {
  const opening = interestOf(before);
  return {
    opening,
    accrued: within.interestAccrued,
    cancelled: within.interestCancelled,
    paid: within.interestPaid,
    written_off: within.interestWrittenOff,
    closing: opening + interestOf(within),
  };
}
