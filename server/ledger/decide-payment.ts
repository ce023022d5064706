import { available, movementLines, userLeg } from "./books.ts";
import type { Payment, QrRecord, Refusal, TransactionRecord } from "./command.ts";
import type { Draft } from "./draft.ts";
import type { UserState } from "./state.ts";

/** What a decision on a payment needs besides the draft: who asks, and two fresh ids in recording order. */
export interface PaymentContext {
  readonly entityId: string;
  readonly nextId: () => string;
}

/** The text that two writings of one name share: case, accents, and spacing left out. */
export function foldName(name: string): string {
  return name.normalize("NFKD").replace(/\p{M}/gu, "").replace(/\s+/g, " ").trim().toLowerCase();
}

function isNamed(user: UserState, name: string | undefined): boolean {
  if (name === undefined) return true;
  const folded = foldName(name);
  return folded === foldName(user.name) || (user.businessName !== null && folded === foldName(user.businessName));
}

function refusePayer(payment: Payment, payer: UserState, payee: UserState, entityId: string): Refusal | undefined {
  if (payer.creatorId !== entityId) {
    return { code: "payer_not_yours", detail: "Only the entity that created a user may debit it." };
  }
  const faults = [
    ...(isNamed(payer, payment.fromName) ? [] : [{ pointer: "/from_user", detail: "is not the name of from_user_id" }]),
    ...(isNamed(payee, payment.toName) ? [] : [{ pointer: "/to_user", detail: "is not the name of to_user_id" }]),
  ];
  if (faults.length === 0) return undefined;
  return {
    code: "name_mismatch",
    detail: "Check the ids: a name belongs to another user. Or leave the names out.",
    faults,
  };
}

function refuseQr(payment: Payment, qr: QrRecord | undefined, now: Date): Refusal | undefined {
  const paid = payment.qr;
  if (paid === undefined) return undefined;
  if (paid.payeeId !== payment.toUserId) return { code: "qr_mismatch", detail: "The QR code is for another payee." };
  if (paid.amount !== undefined && paid.amount !== payment.amount) {
    return { code: "qr_mismatch", detail: "The QR code is for another amount." };
  }
  if (paid.reference === undefined) return undefined;
  if (qr === undefined) return { code: "qr_not_authentic", detail: "No QR code with that reference was issued here." };
  if (qr.fromUserId !== null && qr.fromUserId !== payment.fromUserId) {
    return { code: "qr_other_payer", detail: "The QR code was made for another payer." };
  }
  if (qr.cancelledAt !== null)
    return { code: "qr_cancelled", detail: "The payee withdrew the QR code; ask for another." };
  if (qr.transactionId !== null) return { code: "qr_already_paid", detail: "The QR code is paid: nothing was moved." };
  if (qr.expiresAt <= now) return { code: "qr_expired", detail: "The QR code has expired; ask for another." };
  return undefined;
}

/** Why the money cannot move; such a payment is kept as rejected. */
function rejectionReason(draft: Draft, payment: Payment): string | undefined {
  if (available(draft.account(payment.fromUserId)) < payment.amount) return "insufficient_balance";
  if (draft.wouldExceed(payment.toUserId, payment.amount)) return "balance_limit";
  return undefined;
}

function recordOf(
  payment: Payment,
  payer: UserState,
  payee: UserState,
  context: PaymentContext,
  now: Date,
  id: string,
) {
  return {
    id,
    reference: payment.reference,
    kind: payment.kind,
    amount: payment.amount,
    date: payment.date ?? now,
    details: payment.details,
    qrDetails: null,
    fromUserId: payer.id,
    fromUser: payer.name,
    fromBusinessName: payer.businessName,
    fromCreatorId: payer.creatorId,
    toUserId: payee.id,
    toUser: payee.name,
    toBusinessName: payee.businessName,
    toCreatorId: payee.creatorId,
    fromBalanceAfter: null,
    toBalanceAfter: null,
    madeBy: context.entityId,
    postingId: null,
    createdAt: now,
  };
}

function settle(
  draft: Draft,
  record: TransactionRecord,
  payer: UserState,
  payee: UserState,
  id: string,
): TransactionRecord {
  const lines = movementLines(userLeg(payer), userLeg(payee), record.amount, draft.moment);
  draft.post({ id, kind: "transaction", reference: record.reference }, lines);
  return {
    ...record,
    postingId: id,
    fromBalanceAfter: draft.account(payer.id).posted,
    toBalanceAfter: draft.account(payee.id).posted,
  };
}

/** Decides one payment: refused (nothing kept), rejected (kept, nothing moved) or approved. */
export function decidePayment(draft: Draft, payment: Payment, context: PaymentContext): TransactionRecord | Refusal {
  const { now } = draft.moment;
  const payer = draft.user(payment.fromUserId);
  const payee = draft.user(payment.toUserId);
  if (payer === undefined) return { code: "user_not_found", detail: "There is no user with the id in from_user_id." };
  if (payee === undefined) return { code: "user_not_found", detail: "There is no user with the id in to_user_id." };
  const reservation = payment.qr?.reference === undefined ? undefined : draft.qr(payment.qr.reference);
  const refusal = refusePayer(payment, payer, payee, context.entityId) ?? refuseQr(payment, reservation, now);
  if (refusal !== undefined) return refusal;

  const plain = recordOf(payment, payer, payee, context, now, context.nextId());
  const base = { ...plain, qrDetails: reservation?.details ?? null };
  const reason = payment.requestedStatus === "rejected" ? null : rejectionReason(draft, payment);
  if (reason !== undefined) {
    const rejected = { ...base, status: "rejected", reason };
    draft.transactions.push(rejected);
    return rejected;
  }
  // Only an approved payment takes the QR's reference: a rejected attempt leaves the QR payable.
  const reference = reservation?.reference ?? payment.reference;
  const approved = { ...base, reference, status: "approved", reason: null };
  const settled = settle(draft, approved, payer, payee, context.nextId());
  draft.transactions.push(settled);
  if (reservation !== undefined) draft.changeQr({ ...reservation, transactionId: settled.id });
  return settled;
}
