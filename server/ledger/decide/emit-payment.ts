import type { TransactionRecord } from "../model/command.ts";
import type { DomainEvent } from "../model/events.ts";
import type { QrRecord } from "../model/qr-commands.ts";
import type { BatchState } from "./batch-state.ts";

type TypeOf<Key extends string> = Extract<DomainEvent, { readonly [K in Key]: unknown }>["type"];

/**
 * Emits a payment's event to the entity that made the payment and to the creators of its parties; to the payee's
 * creator only if money was moved or held: otherwise entities could send it any number of events without having a
 * balance.
 */
export function emitTransaction(draft: BatchState, type: TypeOf<"transaction">, transaction: TransactionRecord): void {
  const { madeBy, fromCreatorId, toCreatorId, postingId, heldAmount } = transaction;
  const reachedPayee = postingId !== null || heldAmount !== null;
  draft.emit({ type, transaction }, [madeBy, fromCreatorId, ...(reachedPayee ? [toCreatorId] : [])]);
}

/** Emits `qr.paid` to the entity that made the code and to the creators of payer and payee. */
export function emitPaidQr(draft: BatchState, qr: QrRecord, { fromCreatorId, toCreatorId }: TransactionRecord): void {
  draft.emit({ type: "qr.paid", qr }, [qr.madeBy, fromCreatorId, toCreatorId]);
}

/**
 * Emits the end of an unpaid code to the entity that made it, and to no other: any entity may make a code for any payee
 * and payer.
 */
export function emitUnpaidQr(draft: BatchState, type: "qr.cancelled" | "qr.expired", qr: QrRecord): void {
  draft.emit({ type, qr }, [qr.madeBy]);
}
