import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { ExceededLimit } from "../../../src/contract/shared/exceeded-limit.ts";
import { toInstant } from "../access/broker-context.ts";
import { isCertainRefusal, isKeptRefusal, refusedCode } from "./upstream-error.ts";

/** The outcome of a payment that the broker sends for somebody. */
export interface PaymentOutcome {
  readonly state: "approved" | "rejected" | "failed";
  readonly transactionId?: string;
  readonly transactionReference?: string;
  readonly reason?: string;
  /** With the reason `limit_exceeded`. */
  readonly exceededLimit?: ExceededLimit;
}

/** Serialises the exceeded limit of an outcome or a refusal for storage; null where there is none. */
export function limitText({ exceededLimit }: { readonly exceededLimit?: ExceededLimit | undefined }): string | null {
  return exceededLimit === undefined ? null : JSON.stringify(exceededLimit);
}

/** Parses the exceeded limit of a stored outcome into the field of an answer; no field where there is none. */
export function limitOf(text: string | null): { readonly exceeded_limit?: ExceededLimit } {
  return text === null ? {} : { exceeded_limit: JSON.parse(text) as ExceededLimit };
}

/** A page of the payments that the payer sent. */
interface SentPage<P> {
  readonly body: readonly P[];
  readonly nextCursor: string | undefined;
}

/** The part of a list to read. */
interface SentQuery {
  readonly "from-date": string;
  readonly "to-date": string;
  readonly limit: string;
  readonly cursor?: string;
}

/** A payment whose outcome is not known yet, and the calls of the service that send it, void its key and find it. */
export interface RunningPayment<P> {
  readonly startedAt: Date;
  /** True if it must not be sent any more: its payer was frozen, or its till stopped. Its key, if unused, is voided. */
  readonly isSendingBlocked: boolean;
  /** Sends it, under an idempotency key of its own, so that sending again pays nothing more. */
  readonly send: () => Promise<PaymentOutcome>;
  /** Voids that key: nothing is carried out under it any more, unless something was decided under it. */
  readonly voidKey: () => Promise<"void" | "used">;
  /** Lists the payments that the payer sent in a period. */
  readonly sent: (query: SentQuery) => Promise<SentPage<P>>;
  readonly isIt: (payment: P) => boolean;
  readonly outcomeOf: (payment: P) => PaymentOutcome;
}

/**
 * The payment is sent for as long as somebody may be waiting for it. Later its key is made void first: a payment that
 * was never decided must not go out when nobody expects it any more, however long it waits at the service.
 */
const SENDING_MS = 60_000;
/** The service keeps a key for 30 days. A decision under one that may be forgotten is in the lists alone. */
const FORGOTTEN_AFTER_MS = 25 * 24 * 60 * 60_000;
/** Clocks of the two sides may differ by so much. */
const CLOCK_SKEW_MS = 5 * 60_000;
/** Nearly every payment was recorded within this of its start: it is found there without reading what came later. */
const NEAR_MS = 10_000;

const NOT_CARRIED_OUT: PaymentOutcome = Object.freeze({ state: "failed", reason: "not_carried_out" });

/** Looks for the payment among what the payer sent in a period, however much that was. */
async function findWithin<P>(
  { sent, isIt }: RunningPayment<P>,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<P | undefined> {
  const period = { "from-date": toInstant(new Date(from)), "to-date": toInstant(new Date(to)) };
  let cursor: string | undefined;
  do {
    const { body, nextCursor } = await sent({ ...period, limit: "500", ...(cursor === undefined ? {} : { cursor }) });
    const found = body.find(isIt);
    if (found !== undefined) return found;
    // A cursor that does not advance would be read for ever.
    if (nextCursor !== undefined && nextCursor === cursor) throw new ApiError("upstream_failed");
    cursor = nextCursor;
  } while (cursor !== undefined);
  return undefined;
}

/** Reads the payment's outcome from the lists: first where it most likely is, and then wherever it could be. */
async function recorded<P>(payment: RunningPayment<P>, now: Date): Promise<PaymentOutcome | undefined> {
  const startMs = payment.startedAt.getTime();
  const near = { from: startMs - NEAR_MS, to: startMs + NEAR_MS };
  const anywhere = { from: startMs - CLOCK_SKEW_MS, to: now.getTime() + CLOCK_SKEW_MS };
  const found = (await findWithin(payment, near)) ?? (await findWithin(payment, anywhere));
  return found && payment.outcomeOf(found);
}

/**
 * A refusal that the service keeps under the key is the outcome. Any other concerns this copy alone: the key is voided,
 * and if it was used, the lists have an earlier copy's outcome, or lack it because it was a refusal.
 */
async function refused<P>(payment: RunningPayment<P>, refusal: ApiError, now: Date): Promise<PaymentOutcome> {
  if (refusedCode(refusal) === "idempotency_key_void") return NOT_CARRIED_OUT;
  const failed: PaymentOutcome = { state: "failed", reason: refusal.code };
  if (isKeptRefusal(refusal) || (await payment.voidKey()) === "void") return failed;
  return (await recorded(payment, now)) ?? failed;
}

async function send<P>(payment: RunningPayment<P>, now: Date): Promise<PaymentOutcome> {
  try {
    return await payment.send();
  } catch (error) {
    if (isCertainRefusal(error)) return refused(payment, error, now);
    throw error;
  }
}

/**
 * Determines the outcome of a payment. In its first minute, unless its sending is blocked, it is sent; otherwise its
 * idempotency key is voided first, so that it is not carried out late, and only under a key that was used already it is
 * sent again, which returns the stored outcome. After 25 days the payer's list of payments decides. Throws while the
 * outcome is unknown. "Failed" is reported only when the service has made certain, in a commit of its own, that the
 * payment was not carried out and never will be.
 */
export async function resolveOutcome<P>(payment: RunningPayment<P>, now: Date): Promise<PaymentOutcome> {
  const ageMs = now.getTime() - payment.startedAt.getTime();
  if (ageMs < SENDING_MS && !payment.isSendingBlocked) return send(payment, now);
  const key = await payment.voidKey();
  if (ageMs >= FORGOTTEN_AFTER_MS) return (await recorded(payment, now)) ?? NOT_CARRIED_OUT;
  // A retry under a used key gets the stored outcome, and pays nothing.
  return key === "used" ? send(payment, now) : NOT_CARRIED_OUT;
}
