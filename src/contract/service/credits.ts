import * as v from "valibot";
import {
  AmountText,
  DayInput,
  Id,
  Instant,
  OwedText,
  Sum,
  SumText,
  syncErrors,
  syncFields,
  text,
} from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";
import { UserStatus } from "../shared/states.ts";
import { LoanTerms } from "./loan-terms.ts";
import { hasWho, QuotaResult, WHO_MISSING, whoFields } from "./quota.ts";

/** Where a credit stands. */
const CreditState = v.picklist(["open", "closed", "written_off", "cancelled"]);

/** How late a credit is, in days past due. */
const Bucket = v.picklist(["current", "1-30", "31-60", "61-90", "91-180", "181-360", "over-360"]);

/**
 * A credit: the debt of a quota assignment or an import, with its terms, interest and repayments. Sums are in currency
 * units; interest is as of the day of the answer.
 */
export const Credit = v.object({
  id: Id,
  reference: v.string(),
  user_id: Id,
  user: v.string(),
  loan_type: v.string(),
  terms: LoanTerms,
  state: CreditState,
  principal: Sum,
  outstanding: Sum,
  accrued_interest: Sum,
  unpaid_interest: Sum,
  paid_principal: Sum,
  paid_interest: Sum,
  written_off_principal: Sum,
  written_off_interest: Sum,
  recovered: Sum,
  opened_on: v.string(),
  due_date: v.nullable(v.string()),
  closed_on: v.nullable(v.string()),
  imported: v.boolean(),
  days_past_due: v.nullable(v.number()),
  bucket: v.nullable(Bucket),
  suggested_status: v.nullable(UserStatus),
  created_at: Instant,
});
export type Credit = v.InferOutput<typeof Credit>;

const answerOnly = ["id", "reference", "state"] as const;

export const credits = operation({
  name: "credits",
  method: "GET",
  path: "/credits",
  tag: "Credits",
  summary: "List the credits of the calling entity",
  description:
    "Extension. Newest first, of every state; another entity's are never shown. `user-id`, `loan-product` (a loan " +
    "type, any spelling that no credit has gives an empty list), `status` (the `state` of the credit) and `bucket` " +
    "(open credits that are so late) narrow the list. `accrued_interest` and `unpaid_interest` include today, also " +
    "where the daily run has not posted it yet. `days_past_due`, `bucket` and `suggested_status` are null unless the " +
    "credit is open: days are counted in the business time zone, from the day after `due_date`. `paid_principal` of " +
    "an imported credit includes what was repaid before. `written_off_…` is what was given up, `recovered` what came " +
    "in of it later. `changed-since` gives the credits that were opened or changed since, a day's posted interest " +
    "included.",
  access: "bearer",
  scope: "read",
  query: v.strictObject({
    "user-id": v.optional(Id),
    "loan-product": v.optional(text(40)),
    bucket: v.optional(Bucket),
    status: v.optional(CreditState),
    ...syncFields,
  }),
  answer: v.array(Credit),
  status: 200,
  writes: false,
  errors: [...syncErrors, "user_not_found"],
});

export const repayCredit = operation({
  name: "repayCredit",
  method: "POST",
  path: "/repay-credit",
  tag: "Credits",
  summary: "Repay credits in cash or from the quota",
  description:
    "Extension. Interest up to today is posted first. With `credit_id` the amount repays that credit, interest " +
    "before principal; without it all of the user's open credits at your entity in the order of discharge-quota, and " +
    "then what was written off, oldest due date first (`recovered`). `source` says what pays: `cash` that your " +
    "entity received (the user's balance stays as it is), or the user's `quota`. Never more than is owed, today's " +
    "interest included: 409 `more_than_owed`. From the quota of another entity's user never more than the principal, " +
    "as in discharge-quota: 403 `user_not_yours`, and a balance that is less counts as a look-up, as there. A " +
    "blocked user may repay. `credits` are those that the repayment touched, as they stand now, in the order in " +
    "which they were repaid.",
  access: "bearer",
  scope: "quota",
  body: v.pipe(
    v.strictObject({
      ...whoFields,
      credit_id: v.optional(Id),
      amount: AmountText,
      source: v.picklist(["cash", "quota"]),
    }),
    v.check((body) => hasWho(body), WHO_MISSING),
  ),
  answer: v.object({
    ...QuotaResult.entries,
    repaid_interest: SumText,
    repaid_principal: SumText,
    recovered: SumText,
    credits: v.array(Credit),
  }),
  status: 200,
  writes: true,
  errors: [
    "user_not_found",
    "credit_not_found",
    "user_not_yours",
    "more_than_owed",
    "insufficient_balance",
    "counterparty_limit",
  ],
});

export const writeOffCredit = operation({
  name: "writeOffCredit",
  method: "POST",
  path: "/write-off-credit",
  tag: "Credits",
  summary: "Give up what is owed of a credit",
  description:
    "Extension. Interest up to today is posted; then principal outstanding and unpaid interest become a loss, and " +
    "the credit is `written_off`: it accrues nothing more and suggests no status. The user keeps its quota. What is " +
    "paid after all is a recovery: see repay-credit.",
  access: "bearer",
  scope: "quota",
  body: v.strictObject({ credit_id: Id }),
  responseOnly: answerOnly,
  answer: Credit,
  status: 200,
  writes: true,
  errors: ["credit_not_found", "credit_not_open"],
});

export const cancelCredit = operation({
  name: "cancelCredit",
  method: "POST",
  path: "/cancel-credit",
  tag: "Credits",
  summary: "Undo a wrong assignment",
  description:
    "Extension. Takes the credit's principal back from the user's available quota and undoes all of its interest: " +
    "possible while the credit is open, nothing of it was repaid (409 `credit_repaid`), and the quota is there (409 " +
    "`insufficient_balance`, which counts as a look-up where the user is another entity's). An imported credit gave " +
    "no quota and takes none. The credit is kept as `cancelled`.",
  access: "bearer",
  scope: "quota",
  body: v.strictObject({ credit_id: Id }),
  responseOnly: answerOnly,
  answer: Credit,
  status: 200,
  writes: true,
  errors: ["credit_not_found", "credit_not_open", "credit_repaid", "insufficient_balance"],
});

export const importCredit = operation({
  name: "importCredit",
  method: "POST",
  path: "/import-credit",
  tag: "Credits",
  summary: "Take over a credit that ran elsewhere",
  description:
    "Extension. The user gets no quota: it has had the money. The debt enters your books today, against cash " +
    "clearing. `principal` is what was lent on `opened_on`; `outstanding` (absent: all of it) what is still owed of " +
    "it, `unpaid_interest` (absent: zero) the interest that is owed beside it; something must be owed. " +
    "`accrued_through` (absent: today) is the last day whose interest is in those figures: between `opened_on` and " +
    "today, at most 400 days ago. The days since then accrue at once, booked today with the debt: no accounting " +
    "report of an earlier month changes. Those to come accrue daily, by the terms of `loan_type`, any but `deposit`. " +
    "`due_date` may be past, not before `opened_on`; without it the credit never falls due. `id` or `nit` says who: " +
    "a user that your entity created, because a debt that gave no quota is taken on your word (403 `user_not_yours` " +
    "else).",
  access: "bearer",
  scope: "quota",
  body: v.pipe(
    v.strictObject({
      ...whoFields,
      loan_type: text(40),
      principal: AmountText,
      outstanding: v.optional(OwedText),
      unpaid_interest: v.optional(OwedText),
      opened_on: DayInput,
      due_date: v.optional(DayInput),
      accrued_through: v.optional(DayInput),
    }),
    v.check((body) => hasWho(body), WHO_MISSING),
  ),
  responseOnly: answerOnly,
  answer: Credit,
  status: 200,
  writes: true,
  errors: ["user_not_found", "user_not_yours"],
});
