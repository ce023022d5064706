/** The immutable fields of a recorded payment by which a change of it locks its rows; the caller looked them up. */
export interface RecordedPayment {
  readonly transactionId: string;
  readonly fromUserId: string;
  readonly toUserId: string;
  /** The dynamic QR that the payment took. */
  readonly qrReference: string | undefined;
}

/**
 * A recorded payment that may be released, with a fresh reference: a release frees the QR's reference that the payment
 * took, and the payment gets the fresh one.
 */
export interface HeldPayment extends RecordedPayment {
  /** A fresh reference, for the payment once it is released. */
  readonly reference: string;
}

/** Settles a hold, for all of it or less, or releases it. */
export interface SettleHold extends HeldPayment {
  readonly type: "settle";
  readonly status: "approved" | "rejected";
  /** Less than what is held, or all of it. */
  readonly amount: bigint | undefined;
}

/** Releases a hold whose time is over; a hold that was settled meanwhile stays as it is. */
export interface ExpireHold extends HeldPayment {
  readonly type: "lapse";
}

/** Refunds a payment, whole or in part. */
export interface Refund extends RecordedPayment {
  readonly type: "reverse";
  /** Absent: all that is left. */
  readonly amount: bigint | undefined;
  /** JSON text, kept as it came. */
  readonly details: string;
  /** Of the refund. */
  readonly reference: string;
}
