import type { Fault } from "../../src/contract/errors.ts";
import { available, movementLines, userLeg } from "./books.ts";
import type { Payment, Refusal, TransactionRecord } from "./command.ts";
import type { Draft } from "./draft.ts";
import type { QrRecord } from "./qr-commands.ts";
import type { UserState } from "./state.ts";

/** What a decision on a payment needs besides the draft: who asks, and two fresh ids in recording order. */
export interface PaymentContext {
  readonly entityId: string;
  readonly nextId: () => string;
}

/** Who pays whom. */
interface Parties {
  readonly payer: UserState;
  readonly payee: UserState;
}

type UndecidedRecord = Omit<TransactionRecord, "status" | "reason">;

/** The text that two writings of one name share: case, accents, and spacing left out. */
export function foldName(name: string): string {
  return name.normalize("NFKD").replace(/\p{M}/gu, "").replace(/\s+/g, " ").trim().toLowerCase();
}

/** Whether a name that the caller sent, if any, is the user's or its business's. */
export function isNamed(user: UserState, name: string | undefined): boolean {
  if (name === undefined) return true;
  const folded = foldName(name);
  return folded === foldName(user.name) || (user.businessName !== null && folded === foldName(user.businessName));
}

/** Refuses a debit by anybody but the payer's creator. */
export function refuseDebit(payer: UserState, entityId: string): Refusal | undefined {
  if (payer.creatorId === entityId) return undefined;
  return { code: "payer_not_yours", detail: "Only the entity that created a user may debit it." };
}

/** Refuses names that belong to others; does nothing when there is no fault. */
export function refuseNames(faults: readonly Fault[]): Refusal | undefined {
  if (faults.length === 0) return undefined;
  return {
    code: "name_mismatch",
    detail: "Check the ids: a name belongs to another user. Or leave the names out.",
    faults,
  };
}

function nameFaults(payment: Payment, { payer, payee }: Parties): Fault[] {
  return [
    ...(isNamed(payer, payment.fromName) ? [] : [{ pointer: "/from_user", detail: "is not the name of from_user_id" }]),
    ...(isNamed(payee, payment.toName) ? [] : [{ pointer: "/to_user", detail: "is not the name of to_user_id" }]),
  ];
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

/**
 * Why the money cannot move; such a payment is kept as rejected. `earlier` is what payments that are decided together
 * with it, and are not entered yet, will have taken from the payer and given to the payee.
 */
export function rejectionReason(
  draft: Draft,
  payment: Pick<Payment, "fromUserId" | "toUserId" | "amount">,
  earlier = { sent: 0n, received: 0n },
): string | undefined {
  if (available(draft.account(payment.fromUserId)) < earlier.sent + payment.amount) return "insufficient_balance";
  if (draft.wouldExceed(payment.toUserId, earlier.received + payment.amount)) return "balance_limit";
  return undefined;
}

/** The record of a payment that nothing was decided on yet; draws its id. */
export function recordOf(payment: Payment, { payer, payee }: Parties, context: PaymentContext, now: Date) {
  return {
    id: context.nextId(),
    reference: payment.reference,
    kind: payment.kind,
    amount: payment.amount,
    heldAmount: null,
    holdExpiresAt: null,
    reversedAmount: 0n,
    reverses: null,
    statusCount: 1,
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

/** Keeps a payment that moves nothing; without a reason it is the caller's, or the batch's, rejection. */
export function reject(draft: Draft, record: UndecidedRecord, reason: string | null): TransactionRecord {
  const rejected = { ...record, status: "rejected", reason };
  draft.transactions.push(rejected);
  return rejected;
}

/** Moves the money of a payment and keeps it: one posting of its own. */
export function settle(
  draft: Draft,
  record: UndecidedRecord,
  { payer, payee }: Parties,
  context: PaymentContext,
): TransactionRecord {
  const postingId = context.nextId();
  const lines = movementLines(userLeg(payer), userLeg(payee), record.amount, draft.moment);
  draft.post({ id: postingId, kind: "transaction", reference: record.reference }, lines);
  const settled = {
    ...record,
    status: "approved",
    reason: null,
    postingId,
    fromBalanceAfter: draft.account(payer.id).posted,
    toBalanceAfter: draft.account(payee.id).posted,
  };
  draft.transactions.push(settled);
  return settled;
}

/** Decides one payment: refused (nothing kept), rejected (kept, nothing moved) or approved. */
export function decidePayment(draft: Draft, payment: Payment, context: PaymentContext): TransactionRecord | Refusal {
  const { now } = draft.moment;
  const payer = draft.user(payment.fromUserId);
  const payee = draft.user(payment.toUserId);
  if (payer === undefined) return { code: "user_not_found", detail: "There is no user with the id in from_user_id." };
  if (payee === undefined) return { code: "user_not_found", detail: "There is no user with the id in to_user_id." };
  const reservation = payment.qr?.reference === undefined ? undefined : draft.qr(payment.qr.reference);
  const parties = { payer, payee };
  const refusal =
    refuseDebit(payer, context.entityId) ??
    refuseNames(nameFaults(payment, parties)) ??
    refuseQr(payment, reservation, now);
  if (refusal !== undefined) return refusal;

  const record = { ...recordOf(payment, parties, context, now), qrDetails: reservation?.details ?? null };
  const reason = payment.requestedStatus === "rejected" ? null : rejectionReason(draft, payment);
  if (reason !== undefined) return reject(draft, record, reason);
  // Only an approved payment takes the QR's reference: a rejected attempt leaves the QR payable.
  const reference = reservation?.reference ?? payment.reference;
  const settled = settle(draft, { ...record, reference }, parties, context);
  if (reservation !== undefined) draft.changeQr({ ...reservation, transactionId: settled.id });
  return settled;
}
