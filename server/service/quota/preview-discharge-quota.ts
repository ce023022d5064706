import type * as contract from "../../../src/contract/service/quota.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { formatAmount, sumAmounts } from "../../../src/money.ts";
import { accrueCredits } from "../../ledger/decide/accrue-credits.ts";
import type { RepaymentRecord } from "../../ledger/model/credit-commands.ts";
import { type ApiCaller, originOf, type ServiceContext } from "../shared/service-context.ts";
import { balanceAnswer } from "./balance-answer.ts";
import { dischargeParts, readDischarge } from "./discharge-quota.ts";

/**
 * Previews discharge-quota: decides it alike, except that it compares no balance of another entity's user, and posts
 * nothing.
 */
export function previewDischargeQuota(
  service: ServiceContext,
): Handler<typeof contract.previewDischargeQuota, ApiCaller> {
  const { currency } = service;
  return async (call) => {
    const action = await readDischarge(service, call);
    const preview = await service.ledger.preview({
      origin: originOf("previewDischargeQuota", call),
      action: action.type === "refuse" ? action : { ...action, assumesBalance: true },
      answer: (record) => record,
    });
    const record = preview.body as RepaymentRecord;
    // The state that was read holds the user's credits at the caller, before the discharge.
    const open = [...preview.state.credits.values()].filter(({ state }) => state === "open");
    const owed = accrueCredits(open, preview.moment.day).map(({ credit }) => credit);
    const text = (amounts: readonly bigint[]): string => formatAmount(sumAmounts(amounts), currency.digits);
    return {
      body: {
        amount: text([record.amount]),
        interest_to_date: text(owed.map(({ unpaidInterest }) => unpaidInterest)),
        outstanding: text(owed.map(({ outstanding }) => outstanding)),
        ...dischargeParts(record, currency),
        ...balanceAnswer(preview, { userId: record.userId, viewerId: call.principal.entityId }, currency),
      },
    };
  };
}
