import type { TransactionRecord } from "../command.ts";
import type { Happening } from "../events.ts";
import type { QrRecord } from "../qr-commands.ts";
import type { Draft } from "./draft.ts";

type TypeOf<Key extends string> = Extract<Happening, { readonly [K in Key]: unknown }>["type"];

/**
 * Tells who made a payment, and the creators of its parties, what became of it. One that neither moved nor held money
 * is no matter of the payee's creator: others could make any number of them without having a balance.
 */
export function emitTransaction(draft: Draft, type: TypeOf<"transaction">, transaction: TransactionRecord): void {
  const { madeBy, fromCreatorId, toCreatorId, postingId, heldAmount } = transaction;
  const reachedPayee = postingId !== null || heldAmount !== null;
  draft.emit({ type, transaction }, [madeBy, fromCreatorId, ...(reachedPayee ? [toCreatorId] : [])]);
}

/** Tells who made a QR, and the creators of who paid and was paid by it, that it was paid. */
export function emitPaidQr(draft: Draft, qr: QrRecord, { fromCreatorId, toCreatorId }: TransactionRecord): void {
  draft.emit({ type: "qr.paid", qr }, [qr.madeBy, fromCreatorId, toCreatorId]);
}

/** Tells who made a QR, and nobody else, that it came to nothing: anybody may make one for any payee and any payer. */
export function emitUnpaidQr(draft: Draft, type: "qr.cancelled" | "qr.expired", qr: QrRecord): void {
  draft.emit({ type, qr }, [qr.madeBy]);
}
