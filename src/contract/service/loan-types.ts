import * as v from "valibot";
import { operation } from "../shared/operation.ts";
import { LoanTerms } from "./loan-terms.ts";

/** A loan type's name, as it stands in an address; capitals count. */
const LoanTypeName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, "must be at most 40 letters, digits, hyphens and underscores"),
  v.metadata({ examples: ["micro-30"] }),
);

/** A loan type with its terms; `deposit` opens no credit, so it has none. */
export const LoanType = v.object({
  loan_type: v.string(),
  built_in: v.boolean(),
  terms: v.nullable(LoanTerms),
});
export type LoanType = v.InferOutput<typeof LoanType>;

function wholeNumber(least: number, most: number) {
  return v.pipe(
    v.number(),
    v.integer("must be a whole number"),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  );
}

/** Days past due as a threshold: as many as the column holds. */
const Threshold = wholeNumber(0, 10_000);

export const loanTypes = operation({
  name: "loanTypes",
  method: "GET",
  path: "/loan-types",
  tag: "Credits",
  summary: "List the loan types of the calling entity",
  description:
    "Extension. The built-in ones first (`default`: no interest; `deposit`: cash received, opens no credit and so " +
    "has no terms), then the entity's own by name. The list is whole: an entity has at most 100 of its own, and so " +
    "there are no pages.",
  access: "bearer",
  scope: "read",
  answer: v.array(LoanType),
  status: 200,
  writes: false,
  errors: [],
});

export const putLoanType = operation({
  name: "putLoanType",
  method: "PUT",
  path: "/loan-types/:loan_type",
  tag: "Credits",
  summary: "Make a loan type, or replace its terms",
  description:
    "Extension. Credits that are assigned from now on get these terms; those that are open keep the ones they were " +
    "opened with. `annual_rate_bps` is in basis points (2400 is 24 % a year), spread over `day_basis` days (365 when " +
    "absent, or 360): simple interest on the principal outstanding at the end of the day before. `after_due` says " +
    "whether it goes on after the due date (`continue`) or not (`stop`). More than `arrear_after` days past due " +
    "(0 when absent) suggest the status `arrear`, more than `default_after` (90 when absent) `default`. A field that " +
    "is left out takes its default, not the value before. `default` and `deposit` mean the same for everybody and " +
    "cannot be changed. A loan type is never deleted: credits and reports name it. PUT is the same once or twice, so " +
    "an Idempotency-Key changes nothing.",
  access: "bearer",
  scope: "administration",
  params: v.strictObject({ loan_type: LoanTypeName }),
  body: v.pipe(
    v.strictObject({
      annual_rate_bps: wholeNumber(0, 100_000),
      day_basis: v.optional(v.picklist([365, 360])),
      after_due: v.picklist(["stop", "continue"]),
      arrear_after: v.optional(Threshold),
      default_after: v.optional(Threshold),
    }),
    v.check(
      ({ arrear_after = 0, default_after = 90 }) => arrear_after <= default_after,
      "must not have an arrear_after above default_after (90 when absent)",
    ),
  ),
  responseOnly: ["loan_type", "built_in", "terms"],
  answer: LoanType,
  status: 200,
  writes: true,
  errors: ["not_found", "loan_type_built_in", "loan_type_limit"],
});
