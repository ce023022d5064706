import type { Refusal, TransactionRecord } from "../model/command.ts";
import type { ExpireHold, HeldPayment, SettleHold } from "../model/payment-commands.ts";
import type { QrRecord } from "../model/qr-commands.ts";
import type { BatchState } from "./batch-state.ts";
import { isPayerBlocked, moveMoney, type Parties, type PaymentContext } from "./decide-payment.ts";
import { emitPaidQr, emitTransaction, emitUnpaidQr } from "./emit-payment.ts";

/** A hold that expires while its payer is blocked is extended by this each time. */
const BLOCKED_TERM_MS = 86_400_000;

/** The search for codes that expired unpaid has run by then; a code that is released later gets its event here. */
const EXPIRY_TOLD_AFTER_MS = 15_000;

/** The refusal of an action on a payment that does not exist, or that the caller may not see. */
export const transactionNotFound: Refusal = {
  code: "transaction_not_found",
  detail: "No transaction that you may see has that id.",
};

/** Settled for less, its code would be reported as paid with its whole amount, in answers and events. */
const lessThanCode: Refusal = {
  code: "qr_mismatch",
  detail: "The hold pays a QR code: settle it for the code's amount, or release it.",
};

const blockedPayer: Refusal = {
  code: "payer_blocked",
  detail: "The payer is blocked: the hold waits, without lapsing, until the payer is unblocked; or release it.",
};

function refuseSettlement(
  record: TransactionRecord,
  { status, amount = record.amount }: SettleHold,
  { entityId, now, isBlocked }: { readonly entityId: string; readonly now: Date; readonly isBlocked: boolean },
): Refusal | undefined {
  // A hold occupies the payee's code, so the payee's creator may release it.
  if (record.madeBy !== entityId && (status === "approved" || record.toCreatorId !== entityId))
    return {
      code: "not_allowed",
      detail: "Only the entity that made a hold may settle it, and that or the payee's creator release it.",
    };
  if (record.status !== "pending" || record.holdExpiresAt === null)
    return { code: "transaction_not_pending", detail: `The transaction is ${record.status}: it holds nothing.` };
  if (isBlocked) return status === "rejected" ? undefined : blockedPayer;
  if (record.holdExpiresAt <= now)
    return { code: "hold_expired", detail: "The hold's time is over: the money is released by itself." };
  if (status === "rejected" || amount <= record.amount) return undefined;
  const faults = [{ pointer: "/amount", detail: "must be at most what is held" }];
  return { code: "invalid_request", detail: "A hold settles for what it holds, or less.", faults };
}

/** The QR that the payment took, if any. */
function takenQr(draft: BatchState, record: TransactionRecord, reference: string | undefined): QrRecord | undefined {
  const qr = reference === undefined ? undefined : draft.qr(reference);
  return qr?.transactionId === record.id ? qr : undefined;
}

/**
 * Returns the money to the payer's available balance, and frees the QR's reference for its next payment: the released
 * payment gets a reference of its own.
 */
function release(
  draft: BatchState,
  record: TransactionRecord,
  { qrReference, reference }: HeldPayment,
  reason: "released" | "hold_expired",
): TransactionRecord {
  draft.hold(record, -record.amount);
  const taken = takenQr(draft, record, qrReference);
  const released = {
    ...record,
    reference: taken === undefined ? record.reference : reference,
    status: "rejected",
    reason,
    statusCount: record.statusCount + 1,
  };
  draft.changeTransaction(released);
  draft.countEvent(released, "released");
  emitTransaction(draft, "transaction.rejected", released);
  if (taken === undefined) return released;
  const freed = { ...taken, transactionId: null };
  draft.changeQr(freed);
  const toldThrough = draft.moment.now.getTime() - EXPIRY_TOLD_AFTER_MS;
  if (freed.expiresAt.getTime() <= toldThrough) emitUnpaidQr(draft, "qr.expired", freed);
  return released;
}

/** Decides the settlement of a hold: refused (it stays as it is), settled for its amount or less, or released. */
export function decideHoldSettlement(
  draft: BatchState,
  action: SettleHold,
  context: PaymentContext,
): TransactionRecord | Refusal {
  const record = draft.transaction(action.transactionId);
  const payer = draft.user(action.fromUserId);
  const payee = draft.user(action.toUserId);
  if (record === undefined || payer === undefined || payee === undefined) return transactionNotFound;
  const asked = { entityId: context.entityId, now: draft.moment.now, isBlocked: isPayerBlocked(draft, payer) };
  const refusal = refuseSettlement(record, action, asked);
  if (refusal !== undefined) return refusal;
  if (action.status === "rejected") return release(draft, record, action, "released");
  const amount = action.amount ?? record.amount;
  if (amount < record.amount && takenQr(draft, record, action.qrReference) !== undefined) return lessThanCode;
  if (draft.wouldExceed(payee.id, amount))
    return {
      code: "balance_limit",
      detail: "The payee's balance would pass the largest that is kept; the hold stays.",
    };
  return settleHold(draft, { ...record, amount }, { action, parties: { payer, payee }, held: record.amount }, context);
}

function settleHold(
  draft: BatchState,
  record: TransactionRecord,
  { action, parties, held }: { readonly action: SettleHold; readonly parties: Parties; readonly held: bigint },
  context: PaymentContext,
): TransactionRecord {
  draft.hold(record, -held);
  const settled = moveMoney(draft, { ...record, statusCount: record.statusCount + 1 }, parties, context);
  draft.changeTransaction(settled);
  draft.countEvent(settled, "settled");
  emitTransaction(draft, "transaction.settled", settled);
  const qr = takenQr(draft, settled, action.qrReference);
  if (qr !== undefined) emitPaidQr(draft, qr, settled);
  return settled;
}

/**
 * Decides the expiry of a hold: releases it once its time is over, and leaves it as it is before that or when it was
 * settled meanwhile. A hold whose payer is blocked is extended by a day instead.
 */
export function decideHoldExpiry(draft: BatchState, action: ExpireHold): TransactionRecord | Refusal {
  const record = draft.transaction(action.transactionId);
  const payer = draft.user(action.fromUserId);
  if (record === undefined || payer === undefined) return transactionNotFound;
  const { now } = draft.moment;
  const isOver = record.holdExpiresAt !== null && record.holdExpiresAt <= now;
  if (record.status !== "pending" || !isOver) return record;
  if (!isPayerBlocked(draft, payer)) return release(draft, record, action, "hold_expired");
  const prolonged = { ...record, holdExpiresAt: new Date(now.getTime() + BLOCKED_TERM_MS) };
  draft.changeTransaction(prolonged);
  return prolonged;
}
