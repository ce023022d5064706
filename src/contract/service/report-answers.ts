import * as v from "valibot";
import { Id, Instant } from "../shared/fields.ts";
import { TransactionKind } from "../shared/states.ts";
import { RejectionReason } from "./transactions.ts";

/** A sum of a report in currency units: decimal text, because a sum over a year may be past what a number holds. */
export const ReportAmount = v.pipe(
  v.string(),
  v.regex(/^-?\d+(?:\.\d+)?$/, "must be a decimal number"),
  v.metadata({ examples: ["1250000.5"] }),
);

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const Day = v.pipe(v.string(), v.isoDate(), v.metadata({ examples: ["2026-03-31"] }));

/** A rate or a share in basis points (10 000 is the whole), rounded half to even; null without a denominator. */
const Rate = v.nullable(v.pipe(v.number(), v.integer(), v.metadata({ examples: [9_750] })));

/** The range of a report: the instants at which its first business day begins and its last one ends, or now. */
const reportFields = {
  currency: v.string(),
  as_of: Instant,
  period: v.object({ from_date: Instant, to_date: Instant, days: Count }),
};

const amountFields = { count: Count, sum: ReportAmount, mean: v.nullable(ReportAmount) };
const percentileFields = { median: v.nullable(ReportAmount), percentile_95: v.nullable(ReportAmount) };

/** An event of payments of one kind, counted on its own day. */
const TransactionGroup = v.object({
  kind: TransactionKind,
  event: v.picklist(["approved", "pending", "rejected", "settled", "released", "refunded"]),
  ...amountFields,
  ...percentileFields,
});

/**
 * Reasons for which reports count rejected payments: the ledger's, `requested` by the caller, and `with_batch` when
 * another payment of the batch failed.
 */
export const ReportedReason = v.picklist([...RejectionReason.options, "requested", "with_batch"]);

const Amounts = v.object(amountFields);
/** Payments by what they came to, refunds left out. */
const outcomeFields = { created: Amounts, settled: Amounts, rejected: Amounts, refunded: Amounts };

/** The statistics of an entity's transactions. */
export const TransactionStatistics = v.object({
  entity_id: Id,
  ...reportFields,
  percentile_error_bps: Count,
  total: v.object({ ...outcomeFields, ...percentileFields, by_kind_and_event: v.array(TransactionGroup) }),
  approval_rate_bps: Rate,
  rejections: v.array(v.object({ reason: ReportedReason, count: Count, share_bps: Rate })),
  refunds_made: v.object({ count: Count, sum: ReportAmount }),
  days: v.array(v.object({ day: Day, ...outcomeFields, by_kind_and_event: v.array(TransactionGroup) })),
});
export type TransactionStatistics = v.InferOutput<typeof TransactionStatistics>;

const harvestFields = {
  interest_accrued: ReportAmount,
  interest_paid: ReportAmount,
  harvest_rate_bps: Rate,
  interest_due: ReportAmount,
  interest_paid_on_time: ReportAmount,
  on_time_rate_bps: Rate,
  late_interest_paid: ReportAmount,
  late_principal_paid: ReportAmount,
};

/** How the interest that is owed came from one end of the period to the other. */
const InterestRollForward = v.object({
  opening: ReportAmount,
  accrued: ReportAmount,
  cancelled: ReportAmount,
  paid: ReportAmount,
  written_off: ReportAmount,
  closing: ReportAmount,
});

/**
 * Interest collection ("harvest") of an entity over a period: interest paid relative to interest accrued, by day and in
 * total.
 */
export const HarvestStatistics = v.object({
  entity_id: Id,
  ...reportFields,
  total: v.object(harvestFields),
  interest: InterestRollForward,
  days: v.array(v.object({ day: Day, ...harvestFields })),
});
export type HarvestStatistics = v.InferOutput<typeof HarvestStatistics>;

/** Days past due, as reports and lists divide them. */
const PastDueBucket = v.picklist(["current", "1-30", "31-60", "61-90", "91-180", "181-360", "over-360"]);

/** Days past due of a client's debts; of a client with a write-off they say nothing. */
const ClientBucket = v.picklist([...PastDueBucket.options, "written-off"]);

/** Statistics of an entity's clients (the users that it created or ever gave a credit), or of one of them. */
export const ClientStatistics = v.object({
  uid: Id,
  scope: v.picklist(["entity", "client"]),
  ...reportFields,
  registered: Count,
  new: Count,
  active: Count,
  borrowers: Count,
  dormant: Count,
  outstanding: ReportAmount,
  by_set_status: v.array(
    v.object({
      status: v.picklist(["active", "arrear", "default"]),
      clients: Count,
      share_bps: Rate,
      outstanding: ReportAmount,
    }),
  ),
  by_days_past_due: v.array(v.object({ bucket: ClientBucket, clients: Count, share_bps: Rate })),
});
export type ClientStatistics = v.InferOutput<typeof ClientStatistics>;

const balanceFields = {
  opening_debit: ReportAmount,
  opening_credit: ReportAmount,
  debit: ReportAmount,
  credit: ReportAmount,
  closing_debit: ReportAmount,
  closing_credit: ReportAmount,
};

/** The kinds of accounts in an entity's books, as reports name them. */
export const BooksAccount = v.picklist([
  "user_quota",
  "credits_receivable",
  "interest_receivable",
  "cash_clearing",
  "losses",
  "recoveries",
  "interest_income",
  "due_to",
  "due_from",
]);

/** Balances and movements of every account of the books; every pair of columns has equal totals. */
const TrialBalance = v.object({
  accounts: v.array(v.object({ account: BooksAccount, counterparty_id: v.nullable(Id), ...balanceFields })),
  total: v.object(balanceFields),
});

const AtRisk = v.object({ outstanding: ReportAmount, rate_bps: Rate });

/** The accounting report of a month. */
export const AccountingReport = v.object({
  entity_id: Id,
  ...reportFields,
  year: Count,
  month: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(12)),
  loan_product: v.nullable(v.string()),
  closed: v.boolean(),
  principal: v.object({
    opening: ReportAmount,
    granted: ReportAmount,
    cancelled: ReportAmount,
    repaid: ReportAmount,
    written_off: ReportAmount,
    closing: ReportAmount,
  }),
  interest: InterestRollForward,
  recovered: ReportAmount,
  credits: Count,
  borrowers: Count,
  ageing: v.array(v.object({ bucket: PastDueBucket, credits: Count, outstanding: ReportAmount, share_bps: Rate })),
  portfolio_at_risk: v.object({ par1: AtRisk, par30: AtRisk, par60: AtRisk, par90: AtRisk }),
  trial_balance: v.nullable(TrialBalance),
});
export type AccountingReport = v.InferOutput<typeof AccountingReport>;
