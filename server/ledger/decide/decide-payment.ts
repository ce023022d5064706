import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { Payment, Refusal, TransactionRecord } from "../model/command.ts";
import type { QrRecord } from "../model/qr-commands.ts";
import type { UserState } from "../model/state.ts";
import type { BatchState } from "./batch-state.ts";
import { available, movementLines, userLeg } from "./books.ts";
import { emitPaidQr, emitTransaction } from "./emit-payment.ts";
import { overPaymentLimit, type Rejection, rejectionFor } from "./exceeded-limit.ts";

/**
 * The context of a decision besides the draft: the id of the caller's entity, and a function that draws fresh ids in
 * recording order.
 */
export interface PaymentContext {
  readonly entityId: string;
  readonly nextId: () => string;
}

/** The payer and the payee of a payment. */
export interface Parties {
  readonly payer: UserState;
  readonly payee: UserState;
}

/** A payment record before its decision: without status and reason. */
export type UndecidedRecord = Omit<TransactionRecord, "status" | "reason">;

/** Folds a name for comparison: case, accents and repeated spaces do not count. */
export function foldName(name: string): string {
  return name.normalize("NFKD").replace(/\p{M}/gu, "").replace(/\s+/g, " ").trim().toLowerCase();
}

/** True if no name was sent, or if it is the user's name or business name, both folded for comparison. */
export function isNamed(user: UserState, name: string | undefined): boolean {
  if (name === undefined) return true;
  const folded = foldName(name);
  return folded === foldName(user.name) || (user.businessName !== null && folded === foldName(user.businessName));
}

/**
 * Returns the refusal of a payment, batch payment or transfer that is requested by another entity than the payer's
 * creator; undefined for the creator.
 */
export function refuseDebit(payer: UserState, entityId: string): Refusal | undefined {
  if (payer.creatorId === entityId) return undefined;
  return { code: "payer_not_yours", detail: "Only the entity that created a user may debit it." };
}

/**
 * Returns the refusal of a payment whose names are not those of its users, with these faults; undefined without faults.
 */
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

const taken: Refusal = {
  code: "qr_already_paid",
  detail:
    "A payment has the QR code, and nothing was moved. GET /transaction-qr says how it stands: paid; or pending, " +
    "while that payment is only held, which frees the code when it is released.",
};

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
  if (qr.transactionId !== null) return taken;
  if (qr.expiresAt <= now) return { code: "qr_expired", detail: "The QR code has expired; ask for another." };
  return undefined;
}

/** True if a user may not send money: blocked by its creator, or of a status that its creator blocks. */
export function isPayerBlocked(draft: BatchState, payer: UserState): boolean {
  return payer.blockedAt !== null || draft.entity(payer.creatorId).blockingStatuses.includes(payer.status);
}

/** An amount that moves from one user to another. */
type Movement = Pick<Payment, "fromUserId" | "toUserId" | "amount">;

/** The sums that payments decided together, and not entered yet, take from the payer and give to a payee. */
interface Earlier {
  readonly sent: bigint;
  readonly received: bigint;
  /** The sum that they give to users of the payee's creator: the payer's creator owes it that much more. */
  readonly owed: bigint;
}

const NOTHING_EARLIER: Earlier = Object.freeze({ sent: 0n, received: 0n, owed: 0n });

/**
 * Returns why money cannot move: the sender's available balance, the counterparty limit, or the receiver's largest
 * balance; undefined if it can. The receiver's balance is checked last: otherwise it could be probed with amounts that
 * nobody may owe. `earlier` sums the movements that are decided together with this one, before it.
 */
export function balanceReason(
  draft: BatchState,
  { fromUserId, toUserId, amount }: Movement,
  earlier = NOTHING_EARLIER,
): "insufficient_balance" | "balance_limit" | "counterparty_limit" | undefined {
  if (available(draft.account(fromUserId)) < earlier.sent + amount) return "insufficient_balance";
  const direction = { creditorId: draft.account(toUserId).entityId, debtorId: draft.account(fromUserId).entityId };
  if (!draft.exposures.mayOwe(direction, earlier.owed + amount)) return "counterparty_limit";
  return draft.wouldExceed(toUserId, earlier.received + amount) ? "balance_limit" : undefined;
}

/**
 * Returns why a payment cannot settle or be held (its payer is blocked, a limit, a balance), for it to be kept as
 * rejected; undefined if it can. `earlier` sums the payments that are decided together with this one, before it.
 */
export function rejectionOf(
  draft: BatchState,
  payer: UserState,
  payment: Movement,
  earlier = NOTHING_EARLIER,
): Rejection | undefined {
  if (isPayerBlocked(draft, payer)) return rejectionFor("payer_blocked");
  const over = overPaymentLimit(draft, payer, payment.amount, earlier.sent);
  if (over !== undefined) return over;
  const reason = balanceReason(draft, payment, earlier);
  return reason && rejectionFor(reason);
}

/** The requested fields of a payment or a refund. */
type Asked = Pick<Payment, "reference" | "amount" | "date" | "details"> & Pick<TransactionRecord, "kind">;

/** Makes the record of a payment before its decision; draws its id. */
export function recordOf(payment: Asked, { payer, payee }: Parties, context: PaymentContext, now: Date) {
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
    exceededLimit: null,
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

/** Records a new payment or refund among the batch's changes, counts it, and emits `transaction.created`. */
export function keep(
  draft: BatchState,
  record: TransactionRecord & { readonly status: "approved" | "pending" | "rejected" },
): TransactionRecord {
  draft.transactions.push(record);
  draft.countEvent(record, record.status);
  emitTransaction(draft, "transaction.created", record);
  return record;
}

/**
 * Records a new payment as rejected, which moves nothing. Without a rejection its reason is null: the caller asked for
 * the rejection, or another payment of the same batch payment failed.
 */
export function reject(draft: BatchState, record: UndecidedRecord, rejection: Rejection | null): TransactionRecord {
  return keep(draft, { ...record, status: "rejected", ...(rejection ?? { reason: null }) });
}

/**
 * Posts the money of a payment from payer to payee, and returns the approved record with both balances; does not record
 * it.
 */
export function moveMoney(
  draft: BatchState,
  record: UndecidedRecord,
  { payer, payee }: Parties,
  context: PaymentContext,
): TransactionRecord & { readonly status: "approved" } {
  const postingId = context.nextId();
  const lines = movementLines(userLeg(payer), userLeg(payee), record.amount, draft.moment);
  draft.post({ id: postingId, kind: "transaction", reference: record.reference }, lines);
  return {
    ...record,
    status: "approved",
    reason: null,
    postingId,
    fromBalanceAfter: draft.account(payer.id).posted,
    toBalanceAfter: draft.account(payee.id).posted,
  };
}

/**
 * Settles a new payment: counts it against the payer's limit of the day, moves the money and records it as approved.
 */
export function settle(
  draft: BatchState,
  record: UndecidedRecord,
  parties: Parties,
  context: PaymentContext,
): TransactionRecord {
  draft.spend(parties.payer.id, record.amount);
  return keep(draft, moveMoney(draft, record, parties, context));
}

/** Holds the money of a new payment, counts it against the day's limit now, and keeps it. */
function hold(draft: BatchState, record: UndecidedRecord, expiresAt: Date): TransactionRecord {
  draft.hold(record, record.amount);
  draft.spend(record.fromUserId, record.amount);
  const held = { heldAmount: record.amount, holdExpiresAt: expiresAt };
  return keep(draft, { ...record, ...held, status: "pending", reason: null });
}

/** Decides one payment: refused (nothing kept), rejected (kept, nothing moved), held or approved. */
export function decidePayment(
  draft: BatchState,
  payment: Payment,
  context: PaymentContext,
): TransactionRecord | Refusal {
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
  const rejection = payment.requestedStatus === "rejected" ? null : rejectionOf(draft, payer, payment);
  if (rejection !== undefined) return reject(draft, record, rejection);
  // Only an approved or pending payment takes the QR's reference: a rejected attempt leaves the QR payable.
  const taking = { ...record, reference: reservation?.reference ?? payment.reference };
  const { holdExpiresAt } = payment;
  const made =
    holdExpiresAt === undefined ? settle(draft, taking, parties, context) : hold(draft, taking, holdExpiresAt);
  if (reservation === undefined) return made;
  const qr = { ...reservation, transactionId: made.id };
  draft.changeQr(qr);
  if (made.status === "approved") emitPaidQr(draft, qr, made);
  return made;
}
