import * as v from "valibot";

/** The states of a payment. */
export const TransactionStatus = v.picklist(["pending", "approved", "rejected", "reversed"]);

/** The kind of a payment. */
export const TransactionKind = v.picklist(["payment", "batch", "recharge", "qr", "refund"]);

/** The states of a payment QR. */
export const QrState = v.picklist(["unpaid", "pending", "paid", "expired", "cancelled"]);

/**
 * Payment standing of a user, set by the user's creator (`active` unless it says otherwise); the service suggests one
 * from the days past due, and never changes it.
 */
export const UserStatus = v.picklist(["active", "arrear", "default"]);
