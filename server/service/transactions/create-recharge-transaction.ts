import type * as contract from "../../../src/contract/service/transactions.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { type ApiCaller, originOf, type ServiceContext } from "../shared/service-context.ts";
import { readPayment } from "./read-payment.ts";
import { transactionAnswer } from "./transaction-answer.ts";

/** Sells a top-up: a payment from the user of the point of sale to the user who receives the quota. */
export function createRechargeTransaction(
  service: ServiceContext,
): Handler<typeof contract.createRechargeTransaction, ApiCaller> {
  return async (call) => {
    const posted = await service.ledger.post({
      origin: originOf("createRechargeTransaction", call),
      action: { ...readPayment(service, call.body), kind: "recharge" },
      answer: (record) => transactionAnswer(record, call.principal.entityId, service),
    });
    return { body: posted.body as contract.Transaction, replayed: posted.replayed };
  };
}
