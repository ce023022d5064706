import type { TransactionRecord } from "../command.ts";
import type { Happening } from "../events.ts";
import type { QrRecord } from "../qr-commands.ts";
import type { Draft } from "./draft.ts";

type TypeOf<Key extends string> = Extract<Happening, { readonly [K in Key]: unknown }>["type"];

/** Tells who made a payment, and the creators of its parties, what became of it. */
export function emitTransaction(draft: Draft, type: TypeOf<"transaction">, transaction: TransactionRecord): void {
  draft.emit({ type, transaction }, [transaction.madeBy, transaction.fromCreatorId, transaction.toCreatorId]);
}

/** Tells who made a QR, and the creators of who paid and was paid by it, what became of it. */
export function emitQr(
  draft: Draft,
  type: TypeOf<"qr">,
  qr: QrRecord,
  { fromCreatorId, toCreatorId }: Pick<TransactionRecord, "fromCreatorId" | "toCreatorId">,
): void {
  draft.emit({ type, qr }, [qr.madeBy, fromCreatorId, toCreatorId]);
}
