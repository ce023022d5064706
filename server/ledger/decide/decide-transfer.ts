import type { Refusal, Transfer, TransferRecord } from "../model/command.ts";
import type { UserState } from "../model/state.ts";
import type { BatchState } from "./batch-state.ts";
import { movementLines, userLeg } from "./books.ts";
import { balanceReason, isPayerBlocked, type PaymentContext, refuseDebit } from "./decide-payment.ts";
import { overTransferLimit, type Rejection, rejectionFor } from "./exceeded-limit.ts";

function transferRejection(draft: BatchState, transfer: Transfer, sender: UserState): Rejection | undefined {
  if (isPayerBlocked(draft, sender)) return rejectionFor("payer_blocked");
  const over = overTransferLimit(draft, sender, transfer.amount);
  if (over !== undefined) return over;
  const reason = balanceReason(draft, transfer);
  return reason && rejectionFor(reason);
}

/**
 * Decides one transfer: refused (nothing kept), rejected (kept, nothing moved) or approved. A blocked user sends
 * nothing. Of the limits in the settings of the sender's entity only `transfer_limit` applies; counterparty limits
 * apply as to payments.
 */
export function decideTransfer(
  draft: BatchState,
  transfer: Transfer,
  context: PaymentContext,
): TransferRecord | Refusal {
  const sender = draft.user(transfer.fromUserId);
  const receiver = draft.user(transfer.toUserId);
  if (sender === undefined) return { code: "user_not_found", detail: "There is no user with the id in from_user_id." };
  if (receiver === undefined) return { code: "user_not_found", detail: "There is no user with the id in to_user_id." };
  const refusal = refuseDebit(sender, context.entityId);
  if (refusal !== undefined) return refusal;

  const { now } = draft.moment;
  const { type: _, date, ...fields } = transfer;
  const rejection = transferRejection(draft, transfer, sender);
  const record = {
    ...fields,
    id: context.nextId(),
    ...(rejection === undefined
      ? ({ status: "approved", reason: null, exceededLimit: null } as const)
      : ({ status: "rejected", ...rejection } as const)),
    date: date ?? now,
    fromCreatorId: sender.creatorId,
    toCreatorId: receiver.creatorId,
    madeBy: context.entityId,
    postingId: rejection === undefined ? context.nextId() : null,
    createdAt: now,
  } as const;
  if (record.postingId !== null) {
    const lines = movementLines(userLeg(sender), userLeg(receiver), record.amount, draft.moment);
    draft.post({ id: record.postingId, kind: "transfer", reference: record.reference }, lines);
  }
  draft.transfers.push(record);
  // The receiver's creator is notified only of a transfer that moved money.
  const told = record.postingId === null ? [sender.creatorId] : [sender.creatorId, receiver.creatorId];
  draft.emit({ type: "ledger.transfer", transfer: record }, told);
  return record;
}
