import type { TransactionQr } from "../../../src/contract/service/qr.ts";
import type { QrRecord } from "../../ledger/model/qr-commands.ts";
import { QR_RESERVATIONS } from "../../ledger/model/tables.ts";
import { columnsOf } from "../../ledger/storage/table-statements.ts";
import { type ReadContext, toNumber } from "../shared/service-context.ts";

/** The name of a dynamic code's state. */
export type QrStateName = TransactionQr["state"];

/** The reservation of a dynamic code, with its state. */
export interface FoundQr extends QrRecord {
  readonly state: QrStateName;
}

type Standing = Pick<QrRecord, "transactionId" | "cancelledAt" | "expiresAt"> & {
  readonly transactionStatus?: string | null;
};

/**
 * Returns the state of a dynamic code at an instant: a payment outlives the expiry, and an expired hold has freed the
 * code.
 */
export function qrStateOf(qr: Standing, now: Date): QrStateName {
  if (qr.transactionId !== null) return qr.transactionStatus === "pending" ? "pending" : "paid";
  if (qr.cancelledAt !== null) return "cancelled";
  return qr.expiresAt <= now ? "expired" : "unpaid";
}

/** Finds the reservation of a dynamic code by its reference, with its present state. */
export async function findQr({ sql, clock }: ReadContext, reference: string): Promise<FoundQr | undefined> {
  const [row] = await sql<(QrRecord & { readonly transactionStatus: string | null })[]>`
    select ${columnsOf(sql, QR_RESERVATIONS)},
      (select status from service.transactions t where t.id = transaction_id) as "transactionStatus"
    from service.qr_reservations where reference = ${reference}`;
  return row && { ...row, state: qrStateOf(row, clock()) };
}

/** Returns the whole seconds until an instant, rounded up; zero when it has passed. */
export function secondsUntil(instant: Date, now: Date): number {
  return Math.max(0, Math.ceil((instant.getTime() - now.getTime()) / 1000));
}

/** Builds the answer of a dynamic code, with the facts that any entity with its reference may read. */
export function qrAnswer(qr: FoundQr, { currency, clock }: Pick<ReadContext, "currency" | "clock">): TransactionQr {
  return {
    reference: qr.reference,
    state: qr.state,
    payload: qr.payload,
    to_user_id: qr.toUserId,
    to_user: qr.toUser,
    amount: toNumber(currency, qr.amount),
    currency: currency.code,
    expires_at: qr.expiresAt.toISOString(),
    expires_in: secondsUntil(qr.expiresAt, clock()),
    check_code: qr.checkCode,
    ...(qr.transactionId === null ? {} : { transaction_id: qr.transactionId }),
  };
}
