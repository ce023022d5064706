import type { RecordOf } from "./columns.ts";
import type { QR_RESERVATIONS } from "./tables.ts";

/** The QR that a payment pays, its signature already checked. */
export interface PaidQr {
  /** Absent for a static code, which reserves nothing. */
  readonly reference: string | undefined;
  readonly payeeId: string;
  /** Absent for a static code: the payer typed the amount. */
  readonly amount: bigint | undefined;
}

/** The action of making a dynamic QR: reserves its reference for one payment. */
export interface ReserveQr
  extends Omit<QrRecord, "fromUserId" | "madeBy" | "cancelledAt" | "transactionId" | "version"> {
  readonly type: "reserve-qr";
  readonly fromUserId: string | undefined;
}

/** Withdraws an unpaid QR. */
export interface CancelQr {
  readonly type: "cancel-qr";
  readonly reference: string;
}

/** A dynamic QR as it is recorded, with its reserved reference and the payment that took it, if any. */
export type QrRecord = RecordOf<typeof QR_RESERVATIONS>;
