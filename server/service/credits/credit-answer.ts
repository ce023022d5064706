import type { Credit as CreditAnswer } from "../../../src/contract/service/credits.ts";
import { sumToNumber } from "../../../src/money.ts";
import { accrueCredits } from "../../ledger/decide/accrue-credits.ts";
import { bucketOf, daysPastDue, suggestedStatus } from "../../ledger/decide/days-past-due.ts";
import type { CreditRecord } from "../../ledger/model/credit-commands.ts";
import { termsAnswer } from "../loan-types/read-terms.ts";
import type { Currency } from "../shared/service-context.ts";

/** The inputs of {@link creditAnswer} beside the credit's record. */
export interface CreditView {
  readonly userName: string;
  /** The business day of the answer: interest and lateness are as of it. */
  readonly day: string;
  readonly currency: Currency;
}

/** The lateness of an open credit; nulls for any other. */
function latenessOf(
  credit: CreditRecord,
  day: string,
): Pick<CreditAnswer, "days_past_due" | "bucket" | "suggested_status"> {
  if (credit.state !== "open") return { days_past_due: null, bucket: null, suggested_status: null };
  const days = daysPastDue(credit, day);
  const suggested = suggestedStatus([{ ...credit, daysPastDue: days }]);
  return { days_past_due: days, bucket: bucketOf(days), suggested_status: suggested };
}

/** Principal that was repaid: neither outstanding nor written off; a cancelled credit has none. */
function paidPrincipal({ state, principal, outstanding, writtenOffPrincipal }: CreditRecord): bigint {
  return state === "cancelled" ? 0n : principal - outstanding - writtenOffPrincipal;
}

/**
 * Builds the answer of a credit for its lender, with interest and lateness as of a business day: also the interest of
 * days that is not posted yet.
 */
export function creditAnswer(record: CreditRecord, { userName, day, currency }: CreditView): CreditAnswer {
  const sum = (minor: bigint): number => sumToNumber(minor, currency.digits);
  const [{ credit } = { credit: record }] = accrueCredits([record], day);
  return {
    id: credit.id,
    reference: credit.reference,
    user_id: credit.userId,
    user: userName,
    loan_type: credit.loanType,
    terms: termsAnswer(credit),
    state: credit.state,
    principal: sum(credit.principal),
    outstanding: sum(credit.outstanding),
    accrued_interest: sum(credit.accrued),
    unpaid_interest: sum(credit.unpaidInterest),
    paid_principal: sum(paidPrincipal(credit)),
    paid_interest: sum(credit.paidInterest),
    written_off_principal: sum(credit.writtenOffPrincipal),
    written_off_interest: sum(credit.writtenOffInterest),
    recovered: sum(credit.recovered),
    opened_on: credit.openedOn,
    due_date: credit.dueDate,
    closed_on: credit.closedOn,
    imported: credit.isImported,
    ...latenessOf(credit, day),
    created_at: credit.createdAt.toISOString(),
  };
}
