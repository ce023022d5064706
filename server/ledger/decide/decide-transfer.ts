import type { Refusal, Transfer, TransferRecord } from "../command.ts";
import { movementLines, userLeg } from "./books.ts";
import { balanceReason, isPayerBlocked, type PaymentContext, refuseDebit } from "./decide-payment.ts";
import type { Draft } from "./draft.ts";

/**
 * Decides one transfer: refused (nothing kept), rejected (kept, nothing moved) or approved. A blocked user sends
 * nothing; limits are of payments.
 */
export function decideTransfer(draft: Draft, transfer: Transfer, context: PaymentContext): TransferRecord | Refusal {
  const sender = draft.user(transfer.fromUserId);
  const receiver = draft.user(transfer.toUserId);
  if (sender === undefined) return { code: "user_not_found", detail: "There is no user with the id in from_user_id." };
  if (receiver === undefined) return { code: "user_not_found", detail: "There is no user with the id in to_user_id." };
  const refusal = refuseDebit(sender, context.entityId);
  if (refusal !== undefined) return refusal;

  const { now } = draft.moment;
  const { type: _, date, ...fields } = transfer;
  const reason = isPayerBlocked(draft, sender) ? "payer_blocked" : (balanceReason(draft, transfer) ?? null);
  const record = {
    ...fields,
    id: context.nextId(),
    status: reason === null ? "approved" : "rejected",
    reason,
    date: date ?? now,
    fromCreatorId: sender.creatorId,
    toCreatorId: receiver.creatorId,
    madeBy: context.entityId,
    postingId: reason === null ? context.nextId() : null,
    createdAt: now,
  } as const;
  if (record.postingId !== null) {
    const lines = movementLines(userLeg(sender), userLeg(receiver), record.amount, draft.moment);
    draft.post({ id: record.postingId, kind: "transfer", reference: record.reference }, lines);
  }
  draft.transfers.push(record);
  draft.emit({ type: "ledger.transfer", transfer: record }, [sender.creatorId, receiver.creatorId]);
  return record;
}
