/** Fields that name a payment's payer and payee. */
export const partyFields = [
  "from_user",
  "from_user_id",
  "from_business_name",
  "to_user",
  "to_user_id",
  "to_business_name",
] as const;

/** Fields of a payment that its payer and payee are shown. */
export const movementFields = [
  ...(["id", "reference", "kind", "status", "reason", "amount", "reversed_amount", "currency", "created_at"] as const),
  "reverses",
  ...partyFields,
  ...(["from_balance_after", "to_balance_after", "details", "qr_details"] as const),
] as const;

/** Fields of one's own quota. */
export const quotaFields = ["id", "name", "business_name", "quota", "quota_available", "score", "status"] as const;

/** Fields visible to whoever displays a code. */
export const codeFields = [
  ...(["reference", "state", "payload", "to_user_id", "to_user", "amount", "currency", "expires_at"] as const),
  ...(["expires_in", "check_code"] as const),
] as const;

/** Fields of a new code. */
export const newCodeFields = ["reference", "payload", "expires_at", "expires_in", "check_code"] as const;

/** Fields of a payee that the payer is shown. */
export const payeeFields = ["id", "name", "business_name"] as const;

/** The grant that reads users' names for lists: a user who is no longer there (`user_not_found`) fails no list. */
export const namesOfUsers = { pass: payeeFields, refusals: ["user_not_found"] } as const;

/** Fields of a payment's outcome. */
export const receiptFields = ["id", "reference", "status", "reason"] as const;

/** The fields of a payment's outcome for its payer: a limit is shown to the payer alone. */
export const outcomeFields = [...receiptFields, "exceeded_limit"] as const;

/** Refusals of a payment that are its outcome. */
export const refusedPayments = [
  ...(["qr_not_authentic", "user_not_found", "payer_not_yours", "name_mismatch", "qr_mismatch"] as const),
  ...(["qr_other_payer", "qr_cancelled", "qr_already_paid", "qr_expired", "limit_exceeded"] as const),
] as const;

/** Fields of a transfer that its sender and receiver are shown. */
export const transferFields = [
  ...(["id", "reference", "status", "reason", "amount", "from_user_id", "to_user_id", "created_at"] as const),
  "details",
] as const;

/** Refusals of a refund that are its outcome. */
export const refusedRefunds = [
  ...(["transaction_not_found", "not_allowed", "transaction_not_reversible", "refund_too_large"] as const),
  ...(["insufficient_balance", "balance_limit"] as const),
] as const;

/** True if the principal is the payee. */
export const isPayee = (principal: { readonly userId: string }, record: { readonly to_user_id: string }): boolean =>
  record.to_user_id === principal.userId;

/** True if the principal is the payer or the payee. */
export const isParty = (
  { userId }: { readonly userId: string },
  record: { readonly from_user_id: string; readonly to_user_id: string },
): boolean => record.from_user_id === userId || record.to_user_id === userId;

/** True if the broker's entity created the user: its operators and merchants may know of no others. */
export const isYours = (_principal: unknown, { yours }: { readonly yours: boolean }): boolean => yours;

/** The grant for the payment that a refund reverses: its kind identifies a top-up, whose receiver is not named. */
export const reversedPayment = { own: isParty, pass: ["kind"], refusals: ["transaction_not_found"] } as const;

/** The grant for a code of the merchant; the service forgets an unpaid one in time. */
export const merchantCode = {
  own: isPayee,
  pass: [...codeFields, "transaction_id"],
  refusals: ["qr_not_found"],
} as const;
