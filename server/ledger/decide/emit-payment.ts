import type { TransactionRecord } from "../model/command.ts";
import type { DomainEvent } from "../model/events.ts";
import type { QrRecord } from "../model/qr-commands.ts";
import type { BatchState } from "./batch-state.ts";

type TypeOf<Key extends string> = Extract<DomainEvent, { readonly [K in Key]: unknown }>["type"];

/**
 * Emits a payment's event to the entity that made it and to the creators of its parties; to the payee's creator only if
 * it moved or held money: others could make any number of payments without having a balance.
 */
export function emitTransaction(draft: BatchState, type: TypeOf<"transaction">, transaction: TransactionRecord): void {
  const { madeBy, fromCreatorId, toCreatorId, postingId, heldAmount } = transaction;
  const reachedPayee = postingId !== null || heldAmount !== null;
  draft.emit({ type, transaction }, [madeBy, fromCreatorId, ...(reachedPayee ? [toCreatorId] : [])]);
}

/** Notifies the entity that made a QR, and the creators of payer and payee, that it was paid. */
export function emitPaidQr(draft: BatchState, qr: QrRecord, { fromCreatorId, toCreatorId }: TransactionRecord): void {
  draft.emit({ type: "qr.paid", qr }, [qr.madeBy, fromCreatorId, toCreatorId]);
}

/** Notifies only the entity that made a QR that it ended unpaid: any entity may make one for any payee and payer. */
export function emitUnpaidQr(draft: BatchState, type: "qr.cancelled" | "qr.expired", qr: QrRecord): void {
  draft.emit({ type, qr }, [qr.madeBy]);
}
