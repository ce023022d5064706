import * as v from "valibot";

/** The states of a payment. */
export const TransactionStatus = v.picklist(["pending", "approved", "rejected", "reversed"]);

/** The kind of a payment. */
export const TransactionKind = v.picklist(["payment", "batch", "recharge", "qr", "refund"]);

/** The states of a payment QR. */
export const QrState = v.picklist(["unpaid", "pending", "paid", "expired", "cancelled"]);

/** The status that the creator of a user gives it; the service suggests one and never sets it. */
export const UserStatus = v.picklist(["active", "arrear", "default"]);
