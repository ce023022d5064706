import * as v from "valibot";
import {
  AnswerObject,
  DateInput,
  DayInput,
  Id,
  Instant,
  pageFields,
  Sum,
  SumText,
  syncErrors,
  syncFields,
} from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";
import { TransactionKind } from "../shared/states.ts";
import { BooksAccount, ReportAmount } from "./report-answers.ts";

const Side = v.picklist(["debit", "credit"]);
const Day = v.pipe(v.string(), v.isoDate(), v.metadata({ examples: ["2026-03-31"] }));

/** An account of the calling entity's books, with all that was ever entered. */
export const Account = v.object({
  account: BooksAccount,
  counterparty_id: v.optional(Id),
  counterparty: v.optional(v.string()),
  normal_side: Side,
  debit: ReportAmount,
  credit: ReportAmount,
  balance: ReportAmount,
});
export type Account = v.InferOutput<typeof Account>;

const PostingKind = v.picklist([
  "transaction",
  "transfer",
  "credit",
  "deposit",
  "accrual",
  "accrual_reversal",
  "discharge",
  "repayment",
  "write_off",
  "cancellation",
  "import",
  "settlement",
]);

/** One entry of a posting: the debit or credit of an account. */
export const Entry = v.object({
  id: v.pipe(v.string(), v.metadata({ examples: ["01990c1e-5b2a-7d10-8a41-6f2b9c3d0002.17"] })),
  account: BooksAccount,
  user_id: v.optional(Id),
  counterparty_id: v.optional(Id),
  posting_id: Id,
  reference: v.string(),
  kind: PostingKind,
  day: Day,
  side: Side,
  amount: Sum,
  balance_after: v.optional(Sum),
  created_at: Instant,
});
export type Entry = v.InferOutput<typeof Entry>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const AccountName = v.pipe(
  v.string(),
  v.check(
    (value) => UUID.test(value) || (value !== "user_quota" && v.is(BooksAccount, value)),
    "must be an account that /accounts lists, or, for user_quota, the id of a user that you created",
  ),
  v.metadata({ examples: ["credits_receivable"] }),
);

export const accounts = operation({
  name: "accounts",
  method: "GET",
  path: "/accounts",
  tag: "Accounting",
  summary: "The chart of accounts of the calling entity, with totals",
  description:
    "Extension. Every account in the order of the chart, with all that was ever debited and credited, also by " +
    "postings that are booked on a later day. `balance` is the excess on `normal_side`, so that it is negative where " +
    "the other side is larger. `user_quota` is one account here: what the entity owes to all users that it created. " +
    "`due_to` and `due_from` come once per other entity. Debits and credits of all accounts have the same sum. There " +
    "is no `changed-since`: every posting changes the totals; ask entries for what was posted since.",
  access: "bearer",
  scope: "read",
  query: v.strictObject(pageFields),
  answer: v.array(Account),
  status: 200,
  writes: false,
  errors: ["invalid_cursor"],
});

export const entries = operation({
  name: "entries",
  method: "GET",
  path: "/entries",
  tag: "Accounting",
  summary: "What was posted to an account",
  description:
    "Extension. `account` is a name that accounts lists; `due_to` and `due_from` have the entries of every " +
    "counterparty unless `counterparty-id` says one. `user_quota` is listed per user: for it `account` is the user's " +
    "id, and the caller's entity must have created the user. Newest first by recording. `amount` is positive, `side` " +
    "says whether it was debited or credited; `reference` is that of the payment, transfer, assignment or settlement " +
    "between entities behind the " +
    "posting. `day` is the business day on which it was booked: later than `created_at` where a month was closed, " +
    "earlier for interest that was posted late. `balance_after` is what the user's balance came to; the other " +
    "accounts are kept in parts, so that no entry of theirs has one. `from-date` and `to-date` bound the time of " +
    "recording (`created_at`); an end that is left out is open, and no period is too long. Entries never change: " +
    "`changed-since` gives those recorded since, oldest first.",
  access: "bearer",
  scope: "read",
  query: v.strictObject({
    account: AccountName,
    "counterparty-id": v.optional(Id),
    "from-date": v.optional(DateInput),
    "to-date": v.optional(DateInput),
    ...syncFields,
  }),
  answer: v.array(Entry),
  status: 200,
  writes: false,
  errors: [...syncErrors, "user_not_found", "user_not_yours"],
});

/** One entry of a user's account on its statement; amounts above zero add to the balance. */
export const StatementEntry = v.object({
  posting_id: Id,
  day: Day,
  kind: PostingKind,
  reference: v.string(),
  amount: Sum,
  paid_out: v.optional(SumText),
  balance_after: Sum,
  transaction_id: v.optional(Id),
  transaction_kind: v.optional(TransactionKind),
  reverses: v.optional(Id),
  counterparty_id: v.optional(Id),
  counterparty: v.optional(v.string()),
  counterparty_business_name: v.optional(v.string()),
  details: v.optional(AnswerObject),
  qr_details: v.optional(AnswerObject),
  created_at: Instant,
});
export type StatementEntry = v.InferOutput<typeof StatementEntry>;

export const accountStatement = operation({
  name: "accountStatement",
  method: "GET",
  path: "/account-statement",
  tag: "Accounting",
  summary: "The statement of a user's account over a range of days",
  description:
    "Extension. The entries that are booked on the days from `from-day` through `to-day`, in the order of day and " +
    "entry, with the balance before them and after them: `opening_balance` + Σ `amount` = `closing_balance`. Every " +
    "posting of the user's quota is there: payments, settled holds, refunds, transfers, credits, deposits, " +
    "repayments, discharges and cancellations. The user must be one that the caller's entity created. `final` says " +
    "that nothing more can be booked on these days, because their month is closed, some minutes after its end, or " +
    "the user was registered later: from then on the answer stays the same. Pages of one statement show the account " +
    "at one moment, and repeat both balances.",
  access: "bearer",
  scope: "read",
  query: v.strictObject({ "user-id": Id, "from-day": DayInput, "to-day": DayInput, ...pageFields }),
  answer: v.object({
    user_id: Id,
    currency: v.string(),
    from_day: Day,
    to_day: Day,
    final: v.boolean(),
    opening_balance: Sum,
    closing_balance: Sum,
    entries: v.array(StatementEntry),
  }),
  status: 200,
  writes: false,
  errors: ["invalid_cursor", "user_not_found", "user_not_yours"],
});
