import * as v from "valibot";

/**
 * Interest terms of a credit, and the days past due after which status `arrear` or `default` is suggested for its user.
 * Copied from the loan type when the credit opens.
 */
export const LoanTerms = v.object({
  annual_rate_bps: v.number(),
  day_basis: v.number(),
  after_due: v.picklist(["stop", "continue"]),
  arrear_after: v.number(),
  default_after: v.number(),
});
export type LoanTerms = v.InferOutput<typeof LoanTerms>;
