/** The QR that a payment pays, its signature already checked. */
export interface PaidQr {
  /** Absent for a static code, which reserves nothing. */
  readonly reference: string | undefined;
  readonly payeeId: string;
  /** Absent for a static code: the payer typed the amount. */
  readonly amount: bigint | undefined;
}

/** A dynamic QR: reserves its reference for one payment. */
export interface ReserveQr {
  readonly type: "reserve-qr";
  readonly reference: string;
  readonly payload: string;
  readonly checkCode: string;
  readonly toUserId: string;
  readonly toUser: string;
  readonly fromUserId: string | undefined;
  readonly amount: bigint;
  readonly details: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Withdraws an unpaid QR. */
export interface CancelQr {
  readonly type: "cancel-qr";
  readonly reference: string;
}

/** A QR reservation as the ledger sees it. */
export interface QrRecord {
  readonly reference: string;
  readonly payload: string;
  readonly checkCode: string;
  readonly toUserId: string;
  readonly toUser: string;
  readonly fromUserId: string | null;
  readonly amount: bigint;
  readonly details: string;
  readonly madeBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly cancelledAt: Date | null;
  readonly transactionId: string | null;
}
