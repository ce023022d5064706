import type * as contract from "../../../src/contract/service/qr.ts";
import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { type ApiCaller, post, type ReadContext, type ServiceContext } from "../shared/service-context.ts";
import { findQr, qrAnswer, qrStateOf } from "../transactions/find-qr.ts";
import { bareReference } from "../transactions/find-transaction-by-reference.ts";

/**
 * The entity tag of a QR's mutable state. Weak, because two answers with it differ in `expires_in`: a poller gets 304
 * until something changes, and not a new answer every second.
 */
function tagOf({ state, transaction_id = "" }: contract.TransactionQr): string {
  return `W/"${state}-${transaction_id}"`;
}

/** Answers the state of a dynamic code to any entity that has its reference. */
export function transactionQr(service: ReadContext): Handler<typeof contract.transactionQr, ApiCaller> {
  return async ({ query }) => {
    const qr = await findQr(service, bareReference(query.reference));
    if (qr === undefined) throw new ApiError("qr_not_found", { detail: "No QR code has that reference." });
    const body = qrAnswer(qr, service);
    return { body, headers: { ETag: tagOf(body) } };
  };
}

/** Cancels an unpaid dynamic code that the caller's entity made. */
export function cancelTransactionQr(service: ServiceContext): Handler<typeof contract.cancelTransactionQr, ApiCaller> {
  return async (call) => {
    const reference = bareReference(call.body.reference);
    return post(service, "cancelTransactionQr", call, {
      action: { type: "cancel-qr", reference },
      answer: (qr) => qrAnswer({ ...qr, state: qrStateOf(qr, service.clock()) }, service),
    });
  };
}
