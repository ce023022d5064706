import * as v from "valibot";

/** Where a payment stands. */
export const TransactionStatus = v.picklist(["pending", "approved", "rejected", "reversed"]);

/** The kind of a payment. */
export const TransactionKind = v.picklist(["payment", "batch", "recharge", "qr", "refund"]);

/** Where a payment QR stands. */
export const QrState = v.picklist(["unpaid", "pending", "paid", "expired", "cancelled"]);

/** How a user stands with the entity that created it; set by the caller. */
export const UserStatus = v.picklist(["active", "arrear", "default"]);
