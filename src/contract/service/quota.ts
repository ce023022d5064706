import * as v from "valibot";
import { AmountText, DayInput, Id, SumText, text } from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";
import { LoanTerms } from "./loan-terms.ts";

/** The answer of a quota operation: a sentence for people, and the posting's reference. */
export const QuotaResult = v.object({ message: v.string(), response: v.string() });

const who = { id: v.optional(Id), nit: v.optional(text(40)) };

/**
 * The fields of a body that select the user whose quota or credits are meant: `id`, `nit`, or both of the same user.
 */
export const whoFields = Object.freeze(who);

/** True if a body has `id` or `nit`, which select the user. */
export function hasWho(body: { readonly id?: string | undefined; readonly nit?: string | undefined }): boolean {
  return body.id !== undefined || body.nit !== undefined;
}

/** The text of the fault of a body that has neither `id` nor `nit`. */
export const WHO_MISSING = "must have id or nit, to say who";

const AddQuotaInput = v.pipe(
  v.strictObject({
    amount: AmountText,
    financial_entity_id: v.optional(Id),
    ...who,
    loan_type: text(40),
    payment_date: DayInput,
  }),
  v.check((body) => hasWho(body), WHO_MISSING),
);

const DischargeQuotaInput = v.pipe(
  v.strictObject({ amount: AmountText, ...who }),
  v.check((body) => hasWho(body), WHO_MISSING),
);

/** The user's balance after a preview's operation: posted, and available; null for any caller but its creator. */
const quotaAfter = { quota: v.nullable(SumText), quota_available: v.nullable(SumText) };

export const addQuota = operation({
  name: "addQuota",
  method: "POST",
  path: "/add-quota",
  tag: "Quota",
  summary: "Assign quota to a user",
  description:
    "Opens a credit of `loan_type`, due on `payment_date` (today or later), and adds the amount to the user's " +
    "balance. The credit keeps the terms that its loan type has now. The built-in type `default` bears no interest; " +
    "the built-in type `deposit` (cash received, `payment_date` today) opens no credit. Other types are made with " +
    "PUT /loan-types/{loan_type}. `id` or `nit` says who; with both they must be the same user. " +
    "`financial_entity_id` is the caller's own or left out. To another entity's user quota may be assigned by " +
    "the entities that its own names in `lenders` (PUT /entity-settings): by any other it is a 403 `user_not_yours`. " +
    "They assign at once at most a thousandth of the largest balance that an account may have, and nothing to an " +
    "account that holds more than a tenth of it (409 `balance_limit`), so that there is always room for payments.",
  access: "bearer",
  scope: "quota",
  body: AddQuotaInput,
  answer: QuotaResult,
  status: 200,
  writes: true,
  errors: ["entity_not_yours", "user_not_found", "user_not_yours", "balance_limit", "counterparty_limit"],
});

export const dischargeQuota = operation({
  name: "dischargeQuota",
  method: "POST",
  path: "/discharge-quota",
  tag: "Quota",
  summary: "Take quota from a user: repays, then pays out",
  description:
    "Interest up to today is posted first. Then the amount repays the user's open credits at your entity, one after " +
    "the other by due date (none comes last), day of opening and id, within each its interest before its principal: " +
    "`repaid_interest` and `repaid_principal`. What is left, `paid_out`, goes out in cash; only for a user that your " +
    "entity created, and not while it is blocked, or of one of your `blocking_statuses`: then an amount beyond what " +
    "it owes you is a 409 `payer_blocked`, and nothing moves. From another entity's user you may take back its " +
    "principal only, so never more than you assigned (its interest is paid in cash), or all that it owes you where " +
    "that entity's `foreign_lenders` is `owed`: else 403 `user_not_yours`, and nothing moves. That another entity's " +
    "user has less (409 `insufficient_balance`) is recorded and counts as a look-up by nit: see get-user; past that " +
    "limit 429. Credits that were written off are left alone: see repay-credit.",
  access: "bearer",
  scope: "quota",
  body: DischargeQuotaInput,
  answer: v.object({
    ...QuotaResult.entries,
    repaid_interest: SumText,
    repaid_principal: SumText,
    paid_out: SumText,
  }),
  status: 200,
  writes: true,
  errors: ["user_not_found", "user_not_yours", "payer_blocked", "insufficient_balance", "counterparty_limit"],
});

export const previewAddQuota = operation({
  name: "previewAddQuota",
  method: "POST",
  path: "/preview-add-quota",
  tag: "Quota",
  summary: "What add-quota would do",
  description:
    "Extension. The body of add-quota, its checks and its refusals; nothing is posted. `terms` is what the credit " +
    "would be opened with, `interest_until_due` the interest that it accrues up to and including `payment_date` when " +
    "nothing is repaid before; both null for a deposit. `quota` and `quota_available` are the user's balance " +
    "afterwards, for its creator; another entity finds null.",
  access: "bearer",
  scope: "read",
  body: AddQuotaInput,
  answer: v.object({
    amount: SumText,
    loan_type: v.string(),
    payment_date: v.string(),
    terms: v.nullable(LoanTerms),
    interest_until_due: v.nullable(SumText),
    ...quotaAfter,
  }),
  status: 200,
  writes: false,
  errors: ["entity_not_yours", "user_not_found", "user_not_yours", "balance_limit", "counterparty_limit"],
});

export const previewDischargeQuota = operation({
  name: "previewDischargeQuota",
  method: "POST",
  path: "/preview-discharge-quota",
  tag: "Quota",
  summary: "What discharge-quota would do",
  description:
    "Extension. The body of discharge-quota, its checks and its refusals; nothing is posted. Of another entity's " +
    "user it does not compare with the balance, which is not yours to know: it says what happens if that suffices. " +
    "`interest_to_date` is the unpaid interest, today's included, and `outstanding` the principal of the user's open " +
    "credits at your entity before it: together what would repay all of them today. `quota` and `quota_available` " +
    "are the user's balance afterwards, for its creator; another entity finds null.",
  access: "bearer",
  scope: "read",
  body: DischargeQuotaInput,
  answer: v.object({
    amount: SumText,
    interest_to_date: SumText,
    outstanding: SumText,
    repaid_interest: SumText,
    repaid_principal: SumText,
    paid_out: SumText,
    ...quotaAfter,
  }),
  status: 200,
  writes: false,
  errors: ["user_not_found", "user_not_yours", "payer_blocked", "insufficient_balance", "counterparty_limit"],
});
