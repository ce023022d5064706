import type * as contract from "../../../src/contract/service/transactions.ts";
import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { BodyOf } from "../../../src/contract/shared/operation.ts";
import { createPaymentReference } from "../../../src/payment-reference.ts";
import type { Batch } from "../../ledger/model/command.ts";
import { type ApiCaller, post, readAmount, refuseFaults, type ServiceContext } from "../shared/service-context.ts";
import { transactionAnswer } from "./transaction-answer.ts";

function readBatch(service: ServiceContext, body: BodyOf<typeof contract.createPaymentTransaction>): Batch {
  const faults: Fault[] = [];
  const fromUserId = body.from_user_id.toLowerCase();
  const items = body.payments.map((payment, index) => {
    const amount = readAmount(service.currency, payment.amount, `/payments/${index}/amount`, faults);
    const toUserId = payment.to_user_id.toLowerCase();
    if (toUserId === fromUserId) {
      faults.push({ pointer: `/payments/${index}/to_user_id`, detail: "must differ from from_user_id" });
    }
    const details = JSON.stringify(payment.details ?? {});
    return { toUserId, toName: payment.to_user, amount, details, reference: createPaymentReference(service.random) };
  });
  refuseFaults(faults);
  return { type: "batch", fromUserId, fromName: body.from_user, items };
}

/** Pays several users from one payer at once (a batch payment): all of them, or none. */
export function createPaymentTransaction(
  service: ServiceContext,
): Handler<typeof contract.createPaymentTransaction, ApiCaller> {
  return async (call) => {
    return post(service, "createPaymentTransaction", call, {
      action: readBatch(service, call.body),
      answer: (records) => records.map((record) => transactionAnswer(record, call.principal.entityId, service)),
    });
  };
}
