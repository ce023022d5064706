import type { ExceededLimit } from "./exceeded-limit.ts";
import type { Scope } from "./scopes.ts";

/** Every error code with its HTTP status and a title that never changes (RFC 9457 §3.1). The set is closed. */
export const errorCodes = {
  invalid_request: { status: 400, title: "The request is not valid" },
  malformed_json: { status: 400, title: "The body is not valid JSON" },
  name_mismatch: { status: 400, title: "The name does not belong to that user" },
  reference_mistyped: { status: 400, title: "The reference is mistyped" },
  amount_too_large_for_qr: { status: 400, title: "The amount is too large for a QR code" },
  qr_not_authentic: { status: 400, title: "The QR code was not issued here or was altered" },
  period_too_long: { status: 400, title: "The period is too long" },
  invalid_cursor: { status: 400, title: "The cursor is not valid" },
  invalid_sync_token: { status: 400, title: "The sync token is not valid" },
  sync_token_too_old: { status: 400, title: "The sync token is too old" },
  unauthorized: { status: 401, title: "Authentication is needed" },
  insufficient_scope: { status: 403, title: "The access token lacks the scope" },
  scope_not_yours: { status: 403, title: "Your client does not have that scope itself" },
  payer_not_yours: { status: 403, title: "The payer was not created by you" },
  user_not_yours: { status: 403, title: "The user was not created by you" },
  entity_not_yours: { status: 403, title: "The financial entity is not yours" },
  not_allowed: { status: 403, title: "That is not allowed" },
  enrolment_code_wrong: { status: 403, title: "The code is not the one that you were told" },
  passkey_refused: { status: 403, title: "The passkey was not accepted" },
  passkey_copied: { status: 403, title: "The passkey may have been copied" },
  proof_needed: { status: 403, title: "That asks for a passkey" },
  account_frozen: { status: 403, title: "The account is frozen" },
  device_too_new: { status: 403, title: "This device may not pay yet" },
  not_found: { status: 404, title: "There is nothing here" },
  user_not_found: { status: 404, title: "There is no such user" },
  entity_not_found: { status: 404, title: "There is no such entity" },
  transaction_not_found: { status: 404, title: "There is no such transaction" },
  qr_not_found: { status: 404, title: "There is no such QR code" },
  api_client_not_found: { status: 404, title: "There is no such API client" },
  api_client_secret_not_found: { status: 404, title: "There is no such live secret" },
  webhook_not_found: { status: 404, title: "There is no such webhook" },
  webhook_delivery_not_found: { status: 404, title: "There is no such delivery" },
  merchant_not_found: { status: 404, title: "There is no such merchant" },
  merchant_key_not_found: { status: 404, title: "There is no such live key" },
  enrolment_not_found: { status: 404, title: "The link is not good any more" },
  receipt_not_authentic: { status: 404, title: "The receipt is not one of ours" },
  credit_not_found: { status: 404, title: "There is no such credit" },
  reference_unpaid: { status: 404, title: "The reference has not been paid yet" },
  reference_expired: { status: 404, title: "The reference expired without a payment" },
  reference_cancelled: { status: 404, title: "The reference was cancelled" },
  method_not_allowed: { status: 405, title: "That method is not allowed here" },
  not_acceptable: { status: 406, title: "The answer cannot be given in that form" },
  duplicate_user: { status: 409, title: "Another user has that identification" },
  insufficient_balance: { status: 409, title: "The balance is not enough" },
  counterparty_limit: { status: 409, title: "One entity would owe another too much" },
  payer_blocked: { status: 409, title: "The user is blocked from paying" },
  balance_limit: { status: 409, title: "The balance would become too large" },
  more_than_owed: { status: 409, title: "The amount is more than what is owed" },
  credit_not_open: { status: 409, title: "The credit is not open" },
  credit_repaid: { status: 409, title: "The credit is repaid in part" },
  transaction_not_pending: { status: 409, title: "The transaction is not pending" },
  hold_expired: { status: 409, title: "The hold has expired" },
  transaction_not_reversible: { status: 409, title: "The transaction cannot be reversed" },
  refund_too_large: { status: 409, title: "The refund is more than is left" },
  qr_already_paid: { status: 409, title: "The QR code is already paid or held" },
  qr_expired: { status: 409, title: "The QR code has expired" },
  qr_cancelled: { status: 409, title: "The QR code was cancelled" },
  qr_other_payer: { status: 409, title: "The QR code is for another payer" },
  qr_mismatch: { status: 409, title: "The payment differs from its QR code" },
  api_client_disabled: { status: 409, title: "The API client is disabled" },
  api_client_limit: { status: 409, title: "The entity has as many API clients as it may" },
  api_client_secret_limit: { status: 409, title: "The API client has as many secrets as it may" },
  last_api_client: { status: 409, title: "The API client is the entity's last" },
  last_api_client_secret: { status: 409, title: "The secret is the API client's last" },
  loan_type_built_in: { status: 409, title: "The loan type is built in" },
  loan_type_limit: { status: 409, title: "The entity has as many loan types as it may" },
  month_over: { status: 409, title: "The month is over" },
  month_not_over: { status: 409, title: "The month is not over" },
  webhook_disabled: { status: 409, title: "The webhook is disabled" },
  webhook_limit: { status: 409, title: "The entity has as many webhooks as it may" },
  idempotency_key_void: { status: 409, title: "The idempotency key was made void" },
  request_in_progress: { status: 409, title: "The same request is still running" },
  merchant_disabled: { status: 409, title: "The merchant is disabled" },
  merchant_key_limit: { status: 409, title: "The merchant has as many keys of that kind as it may" },
  last_merchant_key: { status: 409, title: "The key is the merchant's last of its kind" },
  look_up_expired: { status: 409, title: "The look-up is no longer good" },
  enrolment_waiting: { status: 409, title: "A second operator has to agree first" },
  device_in_first_day: { status: 409, title: "The device is in its first day" },
  last_device: { status: 409, title: "The device is the last that may pay" },
  another_person: { status: 409, title: "Another person is signed in in this browser" },
  approval_mismatch: { status: 409, title: "The payment differs from what was approved" },
  approval_expired: { status: 409, title: "The approval is no longer good" },
  limit_exceeded: { status: 409, title: "The payment is over a limit" },
  payload_too_large: { status: 413, title: "The body is too large" },
  unsupported_media_type: { status: 415, title: "That content type is not understood" },
  idempotency_key_reused: { status: 422, title: "The idempotency key was used for another request" },
  too_many_requests: { status: 429, title: "Too many requests" },
  internal_error: { status: 500, title: "Something went wrong on our side" },
  not_implemented: { status: 501, title: "This operation is not available yet" },
  upstream_failed: { status: 502, title: "The payment service did not answer properly" },
  month_not_closed: { status: 503, title: "The books of the month are not closed yet" },
  unavailable: { status: 503, title: "The service is not available at the moment" },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>;

/** One of the closed set of error codes. */
export type ErrorCode = keyof typeof errorCodes;

/** One fault of a request: where (JSON Pointer into the body, or the name of a parameter) and what to do. */
export interface Fault {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly detail: string;
}

/** The fields of an {@link ApiError} besides its code. */
export interface ErrorOptions {
  /** One sentence for the caller: what happened and what to do. Never a refused value, a secret or an SQL message. */
  readonly detail?: string;
  readonly faults?: readonly Fault[];
  /** The limit that was passed, with `limit_exceeded`. */
  readonly exceededLimit?: ExceededLimit;
  /** Seconds until it is worth trying again; becomes `Retry-After`. */
  readonly retryAfter?: number;
  /** The same error was answered before, for the same idempotency key; becomes `Idempotent-Replayed: true`. */
  readonly replayed?: boolean;
  /** The scope that the token lacks; becomes part of `WWW-Authenticate`. */
  readonly scope?: Scope;
  readonly cause?: unknown;
}

/**
 * The error of a request that fails with one of the error codes: thrown by the server, which answers it as a problem
 * document, and by the client that was answered one.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  readonly faults: readonly Fault[];
  readonly detail: string | undefined;
  readonly exceededLimit: ExceededLimit | undefined;
  readonly retryAfter: number | undefined;
  readonly replayed: boolean;
  readonly scope: Scope | undefined;

  constructor(
    code: ErrorCode,
    { detail, faults = [], exceededLimit, retryAfter, replayed = false, scope, cause }: ErrorOptions = {},
  ) {
    super(detail ?? errorCodes[code].title, { cause });
    this.code = code;
    this.detail = detail;
    this.exceededLimit = exceededLimit;
    this.faults = faults;
    this.retryAfter = retryAfter;
    this.replayed = replayed;
    this.scope = scope;
  }

  /** The HTTP status of the code. */
  get status(): number {
    return errorCodes[this.code].status;
  }
}

/** An RFC 9457 problem document, as it is sent. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly code: ErrorCode;
  readonly request_id: string;
  readonly errors?: readonly Fault[];
  readonly exceeded_limit?: ExceededLimit;
}
