import type * as contract from "../../../src/contract/service/transactions.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { Payment, Refuse } from "../../ledger/model/command.ts";
import { type ApiCaller, originOf, type ServiceContext } from "../shared/service-context.ts";
import { readPaidQr } from "./read-paid-qr.ts";
import { readPayment } from "./read-payment.ts";
import { transactionAnswer } from "./transaction-answer.ts";

async function actionOf(service: ServiceContext, body: contract.TransactionInput): Promise<Payment | Refuse> {
  const payment = readPayment(service, body);
  const qr = await readPaidQr(service, body.details?.qr);
  if (qr === undefined) return payment;
  if ("code" in qr) return { type: "refuse", refusal: qr };
  return { ...payment, kind: "qr", qr };
}

/** Pays from one user to another, at once or not at all. */
export function createTransaction(service: ServiceContext): Handler<typeof contract.createTransaction, ApiCaller> {
  return async (call) => {
    const action = await actionOf(service, call.body);
    const posted = await service.ledger.post({
      origin: originOf("createTransaction", call),
      action,
      answer: (record) => transactionAnswer(record, call.principal.entityId, service),
    });
    return { body: posted.body as contract.Transaction, replayed: posted.replayed };
  };
}
