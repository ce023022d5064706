import * as v from "valibot";
import { DateInput, DayInput, Id, Instant, text } from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";
import {
  AccountingReport,
  ClientStatistics,
  HarvestStatistics,
  ReportAmount,
  TransactionStatistics,
} from "./report-answers.ts";

const period = { "from-date": v.optional(DateInput), "to-date": v.optional(DateInput) };

/** The notes that every report's reader needs. */
const ABOUT_FIGURES =
  "Amounts are decimal text in currency units. Rates and shares are in basis points, rounded half to even; shares " +
  "sum to 10 000; one without a denominator is null. `as_of` is the instant through which the figures are complete.";

const ABOUT_PERIODS =
  "Reports count whole business days: a period that begins or ends within a day is widened to that whole day, one " +
  "that ends later than now ends now, and the answer's `period` states both instants. Without `from-date` it begins " +
  "with the first of the month in which it ends; without `to-date` it ends now. A bare `to-date` includes that day. " +
  "At most 400 days. Every day of the period is listed, also one on which nothing happened.";

const report = {
  method: "GET",
  tag: "Reports",
  access: "bearer",
  scope: "read",
  status: 200,
  writes: false,
  errors: ["entity_not_yours", "period_too_long"],
} as const;

export const getTransactionStatistics = operation({
  ...report,
  name: "getTransactionStatistics",
  path: "/get-transaction-statistics",
  summary: "Statistics of an entity's transactions",
  description:
    "What happened to the payments that the entity's API clients made, each event on its own business day, so that a " +
    "day that is over stays as it is, whatever becomes of its payments later. A payment is recorded as `approved`, " +
    "`pending` (a hold) or `rejected`; a hold is `settled` or `released` (also by lapsing); a payment is `refunded` " +
    "with each refund, by what was given back. Groups that are empty are left out. `created` adds up the first " +
    "three, `settled` approved and settled, `rejected` rejected and released, all without refunds, which " +
    "are transactions of kind `refund` and whose total is `refunds_made`, of whosever payments. Nothing is netted. " +
    "Median and 95th percentile, in `total` those of what was created, are by nearest rank, from a logarithmic " +
    "histogram: at most `percentile_error_bps` (2 %) off, before rounding to the minor unit; null without payments. " +
    "The approval rate is settled ÷ (settled + rejected). Rejections without a reason are `requested`, or " +
    "`with_batch` where another payment of their batch failed. Ledger transfers are no payments. " +
    `${ABOUT_PERIODS} ${ABOUT_FIGURES}`,
  query: v.strictObject({ uid: Id, ...period }),
  answer: TransactionStatistics,
});

export const getHarvestStatistics = operation({
  ...report,
  name: "getHarvestStatistics",
  path: "/get-harvest-statistics",
  summary: "Interest paid relative to interest accrued",
  description:
    "Of the entity's own credits, by booking day. Harvest rate: interest paid in the period, whenever it was " +
    "accrued, ÷ interest accrued in it; it may exceed 1. `interest_due` is interest that falls due in the period: " +
    "accrued up to its credit's due date, less what was cancelled; `interest_paid_on_time` is what was paid of it by " +
    "then. Late money was paid after its due date. What an imported credit brought counts as accrued on the day of " +
    "its import. `interest` rolls the interest that is owed forward: opening + accrued − cancelled − paid − written " +
    "off = closing, " +
    `checked against the books before it is answered. ${ABOUT_PERIODS} ${ABOUT_FIGURES}`,
  query: v.strictObject({ uid: Id, ...period }),
  answer: HarvestStatistics,
});

export const getClientStatistics = operation({
  ...report,
  name: "getClientStatistics",
  path: "/get-client-statistics",
  summary: "Statistics of an entity's clients, or of one client",
  description:
    "`uid` is the entity's own id, or that of one of its clients, for whom the same is counted; of neither: 403. " +
    "Clients are users that the entity created, or that hold or held a credit of it. `registered` counts those who " +
    "were clients when the period ended, and every other figure is of them; `new` became clients in it; `active` had " +
    "a settled movement of their quota in it (of another entity's user, one with this entity or its users); " +
    "`dormant` had none in the 90 days that end with it; `borrowers` owe the entity something at its end. " +
    "`by_set_status` goes by the status that is set now; `by_days_past_due` has each client once, in its worst " +
    "credit's bucket at the end of the period's last day: those of whom the entity wrote off a credit by then in " +
    "`written-off`, whatever else they owe, and others who owe nothing in `current`. " +
    `\`outstanding\` is principal owed to the entity then, without what was written off. ${ABOUT_PERIODS} ` +
    `${ABOUT_FIGURES}`,
  query: v.strictObject({ uid: Id, ...period }),
  answer: ClientStatistics,
});

export const getAccountingReport = operation({
  ...report,
  name: "getAccountingReport",
  path: "/get-accounting-report",
  summary: "The accounting report of a month",
  description:
    "Of the calling entity, by booking day. A month that is not over is reported as it stands; one that has not " +
    "begun is a 400. `closed` says whether the month is closed: then the answer is the same, byte for byte, for " +
    "ever. Principal: opening + granted (imports included) − cancelled − repaid − written off = closing; interest " +
    "likewise; `recovered` is what was paid of written-off credits. Ageing divides the outstanding principal by days " +
    "past due at the end of the month, or of today; `par1` is the part at least 1 day late, `par30`, `par60` and " +
    "`par90` the parts more than that many days late. `credits` are those that something is owed of, `borrowers` who " +
    "owes it. The trial balance has every account of the books, due to and due from once per counterparty, with " +
    "balances before the month, its debits and credits, and balances after it. All of these are checked against one " +
    "another before they are answered. `loan-product` (a loan type, or `default`) narrows all but the trial balance, " +
    "which is then null; of a closed month the loan types are those of its closing. `Accept: text/csv` gives the " +
    "trial balance as RFC 4180 " +
    `text in UTF-8, for all products only. ${ABOUT_FIGURES}`,
  query: v.strictObject({
    year: v.pipe(v.string(), v.regex(/^(?:19|2\d)\d{2}$/, "must be a year from 1900 to 2999")),
    month: v.pipe(v.string(), v.regex(/^(?:0?[1-9]|1[0-2])$/, "must be a month from 1 to 12")),
    "loan-product": v.optional(text(40)),
  }),
  answer: AccountingReport,
  mediaTypes: ["application/json", "text/csv"],
  errors: [],
});

/** A month as text. */
function monthText(description: string) {
  return v.pipe(
    v.string(),
    v.regex(/^(?:19|2\d)\d{2}-(?:0[1-9]|1[0-2])$/, "must be a month such as 2026-03"),
    v.metadata({ description, examples: ["2026-03"] }),
  );
}

export const closeMonth = operation({
  name: "closeMonth",
  method: "POST",
  path: "/close-month",
  tag: "Reports",
  summary: "Close the books of a month",
  description:
    "Of the calling entity: interest is accrued to the end of every day of the month, nothing is booked in it any " +
    "more (what comes later is booked on the first day after it), and its accounting reports are computed, of all " +
    "products and of each, and kept for ever. Earlier months that are open are closed before it, in order. Closing a " +
    "closed month changes nothing and answers the same. A month is closed by itself on the first day of the next " +
    "one. `sha256` is the hash of the month's kept reports, which is checked whenever one is read.",
  access: "bearer",
  scope: "administration",
  body: v.strictObject({ month: monthText("`YYYY-MM`; a month that is over.") }),
  answer: v.object({
    month: v.pipe(v.string(), v.metadata({ description: "`YYYY-MM`, as it was sent.", examples: ["2026-03"] })),
    closed_through: v.pipe(v.string(), v.isoDate(), v.metadata({ examples: ["2026-03-31"] })),
    closed_at: Instant,
    sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  }),
  status: 200,
  writes: true,
  errors: ["month_not_over"],
});

export const reopenMonth = operation({
  name: "reopenMonth",
  method: "POST",
  path: "/reopen-month",
  tag: "Reports",
  summary: "Open a month again that was closed before it was over",
  description:
    "Of the calling entity, as after a clock that was past the month's end: the month and every closed month after " +
    "it are open again, and are closed anew when they are over. A month that is over stays closed. What was booked " +
    "on the days after it meanwhile stays there. The reports that it was closed with stay kept; `reopened` names " +
    "them by their hash. Opening an open month changes nothing.",
  access: "bearer",
  scope: "administration",
  body: v.strictObject({ month: monthText("`YYYY-MM`; a month that is not over.") }),
  answer: v.object({
    open_from: v.pipe(v.string(), v.isoDate(), v.metadata({ examples: ["2026-03-01"] })),
    reopened: v.array(
      v.object({
        month: v.pipe(v.string(), v.metadata({ examples: ["2026-03"] })),
        closed_at: Instant,
        sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
      }),
    ),
  }),
  status: 200,
  writes: true,
  errors: ["month_over"],
});

export const reverseAccruals = operation({
  name: "reverseAccruals",
  method: "POST",
  path: "/reverse-accruals",
  tag: "Reports",
  summary: "Take back interest that a wrong clock accrued",
  description:
    "Of the calling entity's open credits: the interest of `from_day` and the days after it is taken back by " +
    "counter-postings on the days that it was booked on, and the credits stand as though these days had not been " +
    "accrued. Days that are over are accrued anew by the next daily run. A credit that was repaid, in part too, " +
    "after that interest was accrued is left as it is and named in `left`: give its user back what was too much. A " +
    "day in a closed month is refused: reopen the month first.",
  access: "bearer",
  scope: "administration",
  body: v.strictObject({
    from_day: DayInput,
  }),
  answer: v.object({
    from_day: v.pipe(v.string(), v.isoDate(), v.metadata({ examples: ["2026-03-31"] })),
    credits: v.pipe(v.number(), v.metadata({ description: "How many credits it was taken back on." })),
    amount: ReportAmount,
    left: v.pipe(v.array(Id), v.metadata({ description: "Credits that it was left on." })),
  }),
  status: 200,
  writes: true,
  errors: [],
});
