/** Who paid whom. */
export const partyFields = [
  "from_user",
  "from_user_id",
  "from_business_name",
  "to_user",
  "to_user_id",
  "to_business_name",
] as const;

/** What a party of a payment is shown of it. */
export const movementFields = [
  ...(["id", "reference", "kind", "status", "reason", "amount", "reversed_amount", "currency", "created_at"] as const),
  "reverses",
  ...partyFields,
  ...(["from_balance_after", "to_balance_after", "details", "qr_details"] as const),
] as const;

/** One's own quota. */
export const quotaFields = ["id", "name", "business_name", "quota", "quota_available", "score", "status"] as const;

/** What whoever shows a code may know. */
export const codeFields = [
  ...(["reference", "state", "payload", "to_user_id", "to_user", "amount", "currency", "expires_at"] as const),
  ...(["expires_in", "check_code"] as const),
] as const;

/** What a new code consists of. */
export const newCodeFields = ["reference", "payload", "expires_at", "expires_in", "check_code"] as const;

/** Who is paid, as the payer is told. */
export const payeeFields = ["id", "name", "business_name"] as const;

/** Names in lists, by ids alone: that a user is no more is said there, and fails no list. */
export const namesOfUsers = { pass: payeeFields, refusals: ["user_not_found"] } as const;

/** What became of a payment. */
export const receiptFields = ["id", "reference", "status", "reason"] as const;

/** The fields of a payment's outcome for its payer: a limit is shown to the payer alone. */
export const outcomeFields = [...receiptFields, "exceeded_limit"] as const;

/** Refusals of a payment that are its outcome. */
export const refusedPayments = [
  ...(["qr_not_authentic", "user_not_found", "payer_not_yours", "name_mismatch", "qr_mismatch"] as const),
  ...(["qr_other_payer", "qr_cancelled", "qr_already_paid", "qr_expired", "limit_exceeded"] as const),
] as const;

/** What a party of a transfer is shown of it. */
export const transferFields = [
  ...(["id", "reference", "status", "reason", "amount", "from_user_id", "to_user_id", "created_at"] as const),
  "details",
] as const;

/** Refusals of a refund that are its outcome. */
export const refusedRefunds = [
  ...(["transaction_not_found", "not_allowed", "transaction_not_reversible", "refund_too_large"] as const),
  ...(["insufficient_balance", "balance_limit"] as const),
] as const;

/** Whether the principal is paid. */
export const isPayee = (principal: { readonly userId: string }, record: { readonly to_user_id: string }): boolean =>
  record.to_user_id === principal.userId;

/** Whether the principal is on either side. */
export const isParty = (
  { userId }: { readonly userId: string },
  record: { readonly from_user_id: string; readonly to_user_id: string },
): boolean => record.from_user_id === userId || record.to_user_id === userId;

/** True if the broker's entity created the user: its operators and merchants may know of no others. */
export const isYours = (_principal: unknown, { yours }: { readonly yours: boolean }): boolean => yours;

/** The policy for the payment that a refund reverses: its kind tells a top-up, whose receiver is not named. */
export const reversedPayment = { own: isParty, pass: ["kind"], refusals: ["transaction_not_found"] } as const;

/** A code of the merchant; one that nobody paid is forgotten in time. */
export const merchantCode = {
  own: isPayee,
  pass: [...codeFields, "transaction_id"],
  refusals: ["qr_not_found"],
} as const;
