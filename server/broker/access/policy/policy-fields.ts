/** Fields of a payment that identify and name its payer and payee. */
export const partyFields = [
  "from_user",
  "from_user_id",
  "from_business_name",
  "to_user",
  "to_user_id",
  "to_business_name",
] as const;

/** Fields of a payment that pass for its payer or payee; of the two balances, each is shown only their own. */
export const movementFields = [
  ...(["id", "reference", "kind", "status", "reason", "amount", "reversed_amount", "currency", "created_at"] as const),
  "reverses",
  ...partyFields,
  ...(["from_balance_after", "to_balance_after", "details", "qr_details"] as const),
] as const;

/**
 * Fields of a user with quota and standing, as they pass to the person and to a widget session that shows this person's
 * quota.
 */
export const quotaFields = ["id", "name", "business_name", "quota", "quota_available", "score", "status"] as const;

/** Fields of a payment code that pass to the page that displays it, to its merchant, and to a person who scans it. */
export const codeFields = [
  ...(["reference", "state", "payload", "to_user_id", "to_user", "amount", "currency", "expires_at"] as const),
  ...(["expires_in", "check_code"] as const),
] as const;

/** Fields of a payment code that pass to the one who has it made. */
export const newCodeFields = ["reference", "payload", "expires_at", "expires_in", "check_code"] as const;

/** Fields that identify and name a user, such as the payee for the payer. */
export const payeeFields = ["id", "name", "business_name"] as const;

/** The permission to read users' names for lists: a user who no longer exists (`user_not_found`) fails no list. */
export const namesOfUsers = { pass: payeeFields, refusals: ["user_not_found"] } as const;

/** Fields of a payment that identify it and say if it succeeded, or why not; amount and parties are not among them. */
export const receiptFields = ["id", "reference", "status", "reason"] as const;

/** The {@link receiptFields} of a payment, and the limit that it exceeded, which is shown to its payer alone. */
export const outcomeFields = [...receiptFields, "exceeded_limit"] as const;

/**
 * Codes by which the service refuses a payment and that the policy lets through, because the broker records them as the
 * reason of a failed payment; other refusals become `upstream_failed`.
 */
export const refusedPayments = [
  ...(["qr_not_authentic", "user_not_found", "payer_not_yours", "name_mismatch", "qr_mismatch"] as const),
  ...(["qr_other_payer", "qr_cancelled", "qr_already_paid", "qr_expired", "limit_exceeded"] as const),
] as const;

/** Fields of a payment that a merchant's session was paid with: what it was, and how much of it was given back. */
export const sessionPaymentFields = [
  ...(["id", "reference", "to_user_id", "status", "amount", "currency", "created_at", "reversed_amount"] as const),
] as const;

/** Fields of a refund by which its payment, its sum and the words for the payer are known. */
const refundFields = [
  ...(["id", "reverses", "amount", "currency", "created_at", "details", "from_user_id", "to_user_id"] as const),
] as const;

/** Fields of a transfer that its sender and receiver are shown. */
export const transferFields = [
  ...(["id", "reference", "status", "reason", "amount", "from_user_id", "to_user_id", "created_at"] as const),
  "details",
] as const;

/**
 * Codes by which the service refuses a refund and that the policy lets through, because the broker records them as the
 * reason of a failed refund; other refusals become `upstream_failed`.
 */
export const refusedRefunds = [
  ...(["transaction_not_found", "not_allowed", "transaction_not_reversible", "refund_too_large"] as const),
  ...(["insufficient_balance", "balance_limit"] as const),
] as const;

/** True if the principal's user is the payee of the record. */
export const isPayee = (principal: { readonly userId: string }, record: { readonly to_user_id: string }): boolean =>
  record.to_user_id === principal.userId;

/** True if the principal's user is the payer or the payee of the record. */
export const isParty = (
  { userId }: { readonly userId: string },
  record: { readonly from_user_id: string; readonly to_user_id: string },
): boolean => record.from_user_id === userId || record.to_user_id === userId;

/** The permission to read the refunds that the principal's user made. */
export const refundsMade = {
  set: ({ userId }: { readonly userId: string }) =>
    ({ "user-id": userId, direction: "sent", kind: "refund", limit: "500" }) as const,
  own: isParty,
  pass: refundFields,
} as const;

/** The permission to read a payment that the principal's user received. */
export const merchantPayment = {
  own: isPayee,
  pass: sessionPaymentFields,
  refusals: ["transaction_not_found"],
} as const;

/** True if the broker's own entity created the user: its operators and merchants may know of no others. */
export const isYours = (_principal: unknown, { yours }: { readonly yours: boolean }): boolean => yours;

/**
 * The permission to read or cancel a payment code whose payee is the merchant's user. `qr_not_found` passes, because
 * the service deletes unpaid codes after a time.
 */
export const merchantCode = {
  own: isPayee,
  pass: [...codeFields, "transaction_id"],
  refusals: ["qr_not_found"],
} as const;
