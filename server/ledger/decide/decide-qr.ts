import type { Refusal } from "../model/command.ts";
import type { CancelQr, QrRecord, ReserveQr } from "../model/qr-commands.ts";
import type { BatchState } from "./batch-state.ts";
import { emitUnpaidQr } from "./emit-payment.ts";

/**
 * Decides the making of a dynamic code: reserves its reference. The reference is fresh, so only unknown users are
 * refused.
 */
export function decideReservation(draft: BatchState, action: ReserveQr, entityId: string): QrRecord | Refusal {
  if (draft.user(action.toUserId) === undefined) {
    return { code: "user_not_found", detail: "There is no user with the id in to_user_id." };
  }
  if (action.fromUserId !== undefined && draft.user(action.fromUserId) === undefined) {
    return { code: "user_not_found", detail: "There is no user with the id in from_user_id." };
  }
  const { type: _, fromUserId, ...fields } = action;
  const unpaid = { cancelledAt: null, transactionId: null, version: 0n };
  const qr = { ...fields, fromUserId: fromUserId ?? null, madeBy: entityId, ...unpaid };
  draft.reserve(qr);
  return qr;
}

const taken: Refusal = {
  code: "qr_already_paid",
  detail:
    "A payment has the QR code. GET /transaction-qr says how it stands: paid, then reverse the payment; or pending, " +
    "then release the hold (settle-transaction with status rejected) and cancel the code afterwards.",
};

/**
 * Decides the cancellation of a dynamic code. Refused unless the caller's entity made the code, and where a payment,
 * settled or held, has taken it or it has expired; a second cancellation changes nothing.
 */
export function decideCancellation(draft: BatchState, action: CancelQr, entityId: string): QrRecord | Refusal {
  const qr = draft.qr(action.reference);
  if (qr === undefined) return { code: "qr_not_found", detail: "No QR code has that reference." };
  if (qr.madeBy !== entityId)
    return { code: "not_allowed", detail: "Only the entity that made a QR code may cancel it." };
  if (qr.transactionId !== null) return taken;
  if (qr.cancelledAt !== null) return qr;
  if (qr.expiresAt <= draft.moment.now) return { code: "qr_expired", detail: "The QR code has expired on its own." };
  const cancelled = { ...qr, cancelledAt: draft.moment.now };
  draft.changeQr(cancelled);
  emitUnpaidQr(draft, "qr.cancelled", cancelled);
  return cancelled;
}
