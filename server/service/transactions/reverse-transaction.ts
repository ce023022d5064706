import type * as contract from "../../../src/contract/service/transaction-changes.ts";
import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { Call, Handler } from "../../../src/contract/shared/handler.ts";
import { createPaymentReference } from "../../../src/payment-reference.ts";
import { transactionNotFound } from "../../ledger/decide/decide-holds.ts";
import type { Refuse } from "../../ledger/model/command.ts";
import type { Refund } from "../../ledger/model/payment-commands.ts";
import { type ApiCaller, post, readAmount, refuseFaults, type ServiceContext } from "../shared/service-context.ts";
import { findRecordedPayment } from "./find-recorded-payment.ts";
import { transactionAnswer } from "./transaction-answer.ts";

type ReverseCall = Call<typeof contract.reverseTransaction, ApiCaller>;

async function actionOf(service: ServiceContext, { body, principal }: ReverseCall): Promise<Refund | Refuse> {
  const faults: Fault[] = [];
  const amount = body.amount === undefined ? undefined : readAmount(service.currency, body.amount, "/amount", faults);
  refuseFaults(faults);
  const payment = await findRecordedPayment(service, { id: body.id, viewerId: principal.entityId });
  if (payment === undefined) return { type: "refuse", refusal: transactionNotFound };
  return {
    ...payment,
    type: "reverse",
    amount,
    details: JSON.stringify(body.details ?? {}),
    reference: createPaymentReference(service.random),
  };
}

/** Refunds a payment, whole or in part: its payee gives the money back to its payer. */
export function reverseTransaction(service: ServiceContext): Handler<typeof contract.reverseTransaction, ApiCaller> {
  return async (call) => {
    return post(service, "reverseTransaction", call, {
      action: await actionOf(service, call),
      answer: (refund) => transactionAnswer(refund, call.principal.entityId, service),
    });
  };
}
