import type { Refusal, TransactionRecord } from "../model/command.ts";
import type { Refund } from "../model/payment-commands.ts";
import type { BatchState } from "./batch-state.ts";
import { available } from "./books.ts";
import { transactionNotFound } from "./decide-holds.ts";
import { keep, moveMoney, type PaymentContext, recordOf } from "./decide-payment.ts";
import { emitTransaction } from "./emit-payment.ts";

const NOT_REVERSIBLE: Readonly<Record<string, string>> = Object.freeze({
  pending: "The transaction is only held: release it with settle-transaction.",
  rejected: "The transaction was rejected: it moved nothing that could be given back.",
  reversed: "The transaction is given back already, all of it.",
});

const tooLarge: Refusal = {
  code: "refund_too_large",
  detail:
    "The amount is more than what is left of the transaction: its amount less its reversed_amount, which GET " +
    "/transaction shows.",
};

function refuseReversal(
  original: TransactionRecord,
  { amount = original.amount - original.reversedAmount }: Refund,
  entityId: string,
): Refusal | undefined {
  if (original.toCreatorId !== entityId)
    return { code: "not_allowed", detail: "Only the entity that created the payee may reverse a transaction." };
  if (original.kind === "refund")
    return { code: "transaction_not_reversible", detail: "The transaction is a refund: make a payment instead." };
  if (original.status !== "approved")
    return { code: "transaction_not_reversible", detail: NOT_REVERSIBLE[original.status] ?? "It moved nothing." };
  if (amount > original.amount - original.reversedAmount) return tooLarge;
  return undefined;
}

function refuseMovement(
  draft: BatchState,
  { fromUserId, toUserId }: TransactionRecord,
  amount: bigint,
): Refusal | undefined {
  if (available(draft.account(toUserId)) < amount)
    return { code: "insufficient_balance", detail: "The payee has not that much available; nothing was moved." };
  if (draft.wouldExceed(fromUserId, amount))
    return { code: "balance_limit", detail: "The payer's balance would pass the largest that is kept." };
  return undefined;
}

/**
 * Decides a refund: gives a payment back, whole or in part, from its payee to its payer, never more in all than was
 * paid. Only the payee's creator may do so. Blocks, spending limits and counterparty limits are not checked; the
 * payee's available balance and the payer's largest balance are. The refunded amount goes on counting against the
 * payer's limit of the day.
 */
export function decideRefund(draft: BatchState, action: Refund, context: PaymentContext): TransactionRecord | Refusal {
  const original = draft.transaction(action.transactionId);
  const payer = draft.user(action.toUserId);
  const payee = draft.user(action.fromUserId);
  if (original === undefined || payer === undefined || payee === undefined) return transactionNotFound;
  const amount = action.amount ?? original.amount - original.reversedAmount;
  const refusal = refuseReversal(original, action, context.entityId) ?? refuseMovement(draft, original, amount);
  if (refusal !== undefined) return refusal;

  const { reference, details } = action;
  const parties = { payer, payee };
  const asked = { reference, amount, details, kind: "refund", date: undefined };
  const record = { ...recordOf(asked, parties, context, draft.moment.now), reverses: original.id };
  const refund = keep(draft, moveMoney(draft, record, parties, context));
  const reversedAmount = original.reversedAmount + amount;
  const isWhole = reversedAmount === original.amount;
  const status = isWhole ? { status: "reversed", statusCount: original.statusCount + 1 } : {};
  const reversed = { ...original, ...status, reversedAmount };
  draft.changeTransaction(reversed);
  draft.countEvent(reversed, "refunded", amount);
  emitTransaction(draft, "transaction.reversed", reversed);
  return refund;
}
