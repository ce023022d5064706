import type * as contract from "../../../src/contract/service/transactions.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { type ApiCaller, post, type ServiceContext } from "../shared/service-context.ts";
import { readPayment } from "./read-payment.ts";
import { transactionAnswer } from "./transaction-answer.ts";

/** Sells a top-up: a payment from the user of the point of sale to the user who receives the quota. */
export function createRechargeTransaction(
  service: ServiceContext,
): Handler<typeof contract.createRechargeTransaction, ApiCaller> {
  return async (call) => {
    return post(service, "createRechargeTransaction", call, {
      action: { ...readPayment(service, call.body), kind: "recharge" },
      answer: (record) => transactionAnswer(record, call.principal.entityId, service),
    });
  };
}
