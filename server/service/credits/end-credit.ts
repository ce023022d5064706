import type * as contract from "../../../src/contract/service/credits.ts";
import type { Call, Reply } from "../../../src/contract/shared/handler.ts";
import { createPaymentReference } from "../../../src/payment-reference.ts";
import { postDebit } from "../quota/post-debit.ts";
import type { ApiCaller, ServiceContext } from "../shared/service-context.ts";
import { creditAnswer } from "./credit-answer.ts";
import { findCredit, noSuchCredit } from "./find-credit.ts";

type EndingCall = Call<typeof contract.writeOffCredit | typeof contract.cancelCredit, ApiCaller>;

/** Writes off or cancels one of the caller's credits in the ledger, and returns the reply with the credit. */
export async function endCredit(
  service: ServiceContext,
  operation: "writeOffCredit" | "cancelCredit",
  call: EndingCall,
): Promise<Reply<contract.Credit>> {
  const { clock, time, currency, random } = service;
  const found = await findCredit(service, call.body.credit_id, call.principal.entityId);
  const view = { userName: found?.userName ?? "", day: time.dayOf(clock()), currency };
  const type = operation === "writeOffCredit" ? "write-off-credit" : "cancel-credit";
  return postDebit(service, operation, call, {
    action:
      found === undefined
        ? noSuchCredit
        : { type, userId: found.userId, creditId: found.creditId, reference: createPaymentReference(random) },
    answer: (credit) => creditAnswer(credit, view),
  });
}
