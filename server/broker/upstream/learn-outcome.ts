import { ApiError } from "../../../src/contract/errors.ts";
import { toInstant } from "../broker-context.ts";
import { isCertainRefusal } from "./upstream-error.ts";

/** What became of a payment that the broker sends for somebody. */
export interface Outcome {
  readonly state: "approved" | "rejected" | "failed";
  readonly transactionId?: string;
  readonly transactionReference?: string;
  readonly reason?: string;
}

/** A page of what the payer sent. */
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

/** A payment whose outcome is not known yet. */
export interface RunningPayment<P> {
  readonly startedAt: Date;
  /** Sends it, under an idempotency key of its own, so that sending again pays nothing more. */
  readonly send: () => Promise<Outcome>;
  /** What the payer sent in a period. */
  readonly sent: (query: SentQuery) => Promise<SentPage<P>>;
  readonly isIt: (payment: P) => boolean;
  readonly outcomeOf: (payment: P) => Outcome;
}

/**
 * The payment is sent for as long as somebody may be waiting for it. Later the outcome is only looked up: a payment
 * that was never sent must not go out when nobody expects it any more.
 */
const SENDING_MS = 60_000;
/**
 * A payment that is not among those sent may still be on its way: sent in the last moment, tried again, waiting for a
 * lock at the service. Only after this is it certain that it never went out; until then nobody knows.
 */
const LOST_AFTER_MS = 5 * 60_000;
/** Clocks of the two sides may differ by so much. */
const CLOCK_SKEW_MS = 5 * 60_000;
/** Nearly every payment was recorded within this of its start: it is found there without reading what came later. */
const NEAR_MS = 10_000;

async function send<P>(payment: RunningPayment<P>): Promise<Outcome> {
  try {
    return await payment.send();
  } catch (error) {
    // A refusal of the first try is the outcome; one of a later try is too, because the first would be replayed.
    if (isCertainRefusal(error)) return { state: "failed", reason: error.code };
    throw error;
  }
}

/** Looks for the payment among what the payer sent in a period, however much that was. */
async function findWithin<P>(
  { startedAt, sent, isIt }: RunningPayment<P>,
  { beforeMs, afterMs }: { readonly beforeMs: number; readonly afterMs: number },
): Promise<P | undefined> {
  const startMs = startedAt.getTime();
  const period = {
    "from-date": toInstant(new Date(startMs - beforeMs)),
    "to-date": toInstant(new Date(startMs + afterMs)),
  };
  let cursor: string | undefined;
  do {
    const { body, nextCursor } = await sent({ ...period, limit: "500", ...(cursor === undefined ? {} : { cursor }) });
    const found = body.find(isIt);
    if (found !== undefined) return found;
    // A list that does not go on would be read for ever.
    if (nextCursor !== undefined && nextCursor === cursor) throw new ApiError("upstream_failed");
    cursor = nextCursor;
  } while (cursor !== undefined);
  return undefined;
}

/** Looks for the payment where it most likely is, and then wherever it could be. */
async function find<P>(payment: RunningPayment<P>): Promise<P | undefined> {
  const near = await findWithin(payment, { beforeMs: NEAR_MS, afterMs: NEAR_MS });
  if (near !== undefined) return near;
  return findWithin(payment, { beforeMs: CLOCK_SKEW_MS, afterMs: LOST_AFTER_MS + CLOCK_SKEW_MS });
}

/** What became of a payment; undefined while it may still be on its way. */
export async function learnOutcome<P>(payment: RunningPayment<P>, now: Date): Promise<Outcome | undefined> {
  const ageMs = now.getTime() - payment.startedAt.getTime();
  if (ageMs < SENDING_MS) return send(payment);
  const found = await find(payment);
  if (found !== undefined) return payment.outcomeOf(found);
  return ageMs < LOST_AFTER_MS ? undefined : { state: "failed", reason: "not_carried_out" };
}
