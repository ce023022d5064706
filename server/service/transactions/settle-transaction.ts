import type { Fault } from "../../../src/contract/errors.ts";
import type { Call, Handler } from "../../../src/contract/handler.ts";
import type * as contract from "../../../src/contract/transaction-changes.ts";
import type { Transaction } from "../../../src/contract/transactions.ts";
import { createPaymentReference } from "../../../src/payment-reference.ts";
import type { Refuse } from "../../ledger/command.ts";
import { transactionNotFound } from "../../ledger/decide/decide-holds.ts";
import type { Settle } from "../../ledger/payment-commands.ts";
import { type ApiCaller, originOf, readAmount, refuseFaults, type ServiceContext } from "../service-context.ts";
import { findRecordedPayment } from "./find-recorded-payment.ts";
import { transactionAnswer } from "./transaction-answer.ts";

type SettleCall = Call<typeof contract.settleTransaction, ApiCaller>;

async function actionOf(service: ServiceContext, { body, principal }: SettleCall): Promise<Settle | Refuse> {
  const faults: Fault[] = [];
  const amount = body.amount === undefined ? undefined : readAmount(service.currency, body.amount, "/amount", faults);
  if (body.status === "rejected" && amount !== undefined) {
    faults.push({ pointer: "/amount", detail: "goes with approved: a release gives back all that is held" });
  }
  refuseFaults(faults);
  const payment = await findRecordedPayment(service, { id: body.id, viewerId: principal.entityId });
  if (payment === undefined) return { type: "refuse", refusal: transactionNotFound };
  return {
    ...payment,
    type: "settle",
    status: body.status,
    amount,
    reference: createPaymentReference(service.random),
  };
}

/** Settles a held payment, for all of it or less, or releases it. */
export function settleTransaction(service: ServiceContext): Handler<typeof contract.settleTransaction, ApiCaller> {
  return async (call) => {
    const posted = await service.ledger.post({
      origin: originOf("settleTransaction", call),
      action: await actionOf(service, call),
      answer: (record) => transactionAnswer(record, call.principal.entityId, service),
    });
    return { body: posted.body as Transaction, replayed: posted.replayed };
  };
}
