import { ApiError } from "../../../src/contract/errors.ts";
import type { Handler } from "../../../src/contract/handler.ts";
import type * as contract from "../../../src/contract/qr.ts";
import { type ApiCaller, originOf, type ServiceContext } from "../service-context.ts";
import { bareReference } from "../transactions/find-transaction-by-reference.ts";
import { findQr, qrAnswer, qrStateOf } from "./find-qr.ts";

/** Tells where a QR stands, to any entity that has its reference. */
export function transactionQr(service: ServiceContext): Handler<typeof contract.transactionQr, ApiCaller> {
  return async ({ query }) => {
    const qr = await findQr(service, bareReference(query.reference));
    if (qr === undefined) throw new ApiError("qr_not_found", { detail: "No QR code has that reference." });
    return { body: qrAnswer(qr, service) };
  };
}

/** Withdraws an unpaid QR. */
export function cancelTransactionQr(service: ServiceContext): Handler<typeof contract.cancelTransactionQr, ApiCaller> {
  return async (call) => {
    const posted = await service.ledger.post({
      origin: originOf("cancelTransactionQr", call),
      action: { type: "cancel-qr", reference: bareReference(call.body.reference) },
      answer: (qr) => qrAnswer({ ...qr, state: qrStateOf(qr, service.clock()) }, service),
    });
    return { body: posted.body as contract.TransactionQr, replayed: posted.replayed };
  };
}
