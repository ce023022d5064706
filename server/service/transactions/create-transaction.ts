import { ApiError, type Fault } from "../../../src/contract/errors.ts";
import type { Handler } from "../../../src/contract/handler.ts";
import type * as contract from "../../../src/contract/transactions.ts";
import { createPaymentReference } from "../../../src/payment-reference.ts";
import type { Payment, Refuse } from "../../ledger/command.ts";
import { readPaidQr } from "../qr/read-paid-qr.ts";
import { type ApiCaller, originOf, readAmount, refuseFaults, type ServiceContext } from "../service-context.ts";
import { transactionAnswer } from "./transaction-answer.ts";

/** A caller's operation date may be this far ahead of ours. */
const DATE_AHEAD_MS = 24 * 60 * 60 * 1000;

/** Reads an operation date; the fault goes into `faults`. */
export function readDate(service: ServiceContext, text: string | undefined, faults: Fault[]): Date | undefined {
  if (text === undefined) return undefined;
  const date = service.time.parse(text);
  if (date.getTime() > service.clock().getTime() + DATE_AHEAD_MS) {
    faults.push({ pointer: "/date", detail: "must be at most 24 hours ahead" });
  }
  return date;
}

async function actionOf(service: ServiceContext, body: contract.TransactionInput): Promise<Payment | Refuse> {
  const faults: Fault[] = [];
  const amount = readAmount(service.currency, body.amount, "/amount", faults);
  const date = readDate(service, body.date, faults);
  const fromUserId = body.from_user_id.toLowerCase();
  const toUserId = body.to_user_id.toLowerCase();
  if (fromUserId === toUserId) faults.push({ pointer: "/to_user_id", detail: "must differ from from_user_id" });
  refuseFaults(faults);
  if (body.status === "pending") throw new ApiError("not_implemented", { detail: "Holds come with a later version." });
  const qr = await readPaidQr(service, body.details?.qr);
  if (qr !== undefined && "code" in qr) return { type: "refuse", refusal: qr };
  return {
    type: "payment",
    kind: qr === undefined ? "payment" : "qr",
    requestedStatus: body.status ?? "approved",
    fromUserId,
    toUserId,
    fromName: body.from_user,
    toName: body.to_user,
    amount,
    date,
    details: JSON.stringify(body.details ?? {}),
    reference: createPaymentReference(service.random),
    qr,
  };
}

/** Pays from one user to another, at once or not at all. */
export function createTransaction(service: ServiceContext): Handler<typeof contract.createTransaction, ApiCaller> {
  return async (call) => {
    const action = await actionOf(service, call.body);
    const posted = await service.ledger.post({
      origin: originOf("createTransaction", call),
      action,
      answer: (record) => transactionAnswer(record, call.principal.entityId, service.currency),
    });
    return { body: posted.body as contract.Transaction, replayed: posted.replayed };
  };
}
