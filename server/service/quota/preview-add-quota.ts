import type * as contract from "../../../src/contract/service/quota.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { formatAmount } from "../../../src/money.ts";
import { accrueThrough } from "../../ledger/decide/interest.ts";
import type { QuotaAssignmentRecord } from "../../ledger/model/command.ts";
import { termsAnswer } from "../loan-types/read-terms.ts";
import { type ApiCaller, originOf, type ServiceContext } from "../shared/service-context.ts";
import { balanceAnswer } from "./balance-answer.ts";
import { readQuotaAssignment } from "./read-quota-assignment.ts";

/**
 * Previews add-quota: decides it alike and posts nothing; answers the terms, the interest until due and the new
 * balance.
 */
export function previewAddQuota(service: ServiceContext): Handler<typeof contract.previewAddQuota, ApiCaller> {
  const { digits } = service.currency;
  return async (call) => {
    const { body, principal } = call;
    const preview = await service.ledger.preview({
      origin: originOf("previewAddQuota", call),
      action: await readQuotaAssignment(service, call),
      answer: (record) => record,
    });
    const { userId, amount } = preview.body as QuotaAssignmentRecord;
    const [credit] = preview.changes.newCredits.values();
    const interest = credit && accrueThrough(credit, body.payment_date).accrued;
    return {
      body: {
        amount: formatAmount(amount, digits),
        loan_type: body.loan_type,
        payment_date: body.payment_date,
        terms: credit === undefined ? null : termsAnswer(credit),
        interest_until_due: interest === undefined ? null : formatAmount(interest, digits),
        ...balanceAnswer(preview, { userId, viewerId: principal.entityId }, service.currency),
      },
    };
  };
}
