import { addDays } from "../../../src/calendar-day.ts";
import type { UserState } from "../model/state.ts";
import type { BatchState } from "./batch-state.ts";

/**
 * The limit in the settings of the payer's entity that a payment or transfer would exceed; sums are minor units as
 * text.
 */
export interface PassedLimit {
  readonly name: "payment_limit" | "daily_limit" | "transfer_limit";
  /** Most that it allows. */
  readonly amount: string;
  readonly left: string;
  /** The business day on which more of it becomes available; null where that never changes by itself. */
  readonly untilDay: string | null;
}

/**
 * The reason for which a payment or transfer is kept as rejected, and the limit that it would have exceeded, if any.
 */
export interface Rejection {
  readonly reason: string;
  /** JSON text of an {@link PassedLimit}, with `limit_exceeded`. */
  readonly exceededLimit: string | null;
}

/** Builds a rejection for any other reason than an exceeded limit. */
export function rejectionFor(reason: string): Rejection {
  return { reason, exceededLimit: null };
}

function over(exceeded: PassedLimit): Rejection {
  return { reason: "limit_exceeded", exceededLimit: JSON.stringify(exceeded) };
}

function atOnce(name: PassedLimit["name"], limit: bigint | null, amount: bigint): Rejection | undefined {
  if (limit === null || amount <= limit) return undefined;
  return over({ name, amount: `${limit}`, left: `${limit}`, untilDay: null });
}

/**
 * Returns the rejection of a payment, top-up or hold that would exceed a limit per payment or per day of the payer's
 * entity; undefined if it exceeds none. `earlier` is the sum of the payments before it in the same batch payment.
 */
export function overPaymentLimit(
  draft: BatchState,
  payer: UserState,
  amount: bigint,
  earlier: bigint,
): Rejection | undefined {
  const { paymentLimit, dailyLimit } = draft.entity(payer.creatorId);
  const single = atOnce("payment_limit", paymentLimit, amount);
  if (single !== undefined || dailyLimit === null) return single;
  const spent = draft.spentToday(payer.id) + earlier;
  if (spent + amount <= dailyLimit) return undefined;
  const left = dailyLimit > spent ? dailyLimit - spent : 0n;
  const untilDay = addDays(draft.moment.day, 1);
  return over({ name: "daily_limit", amount: `${dailyLimit}`, left: `${left}`, untilDay });
}

/** Returns the rejection of a ledger transfer above the limit of the sender's entity; undefined if it is within it. */
export function overTransferLimit(draft: BatchState, sender: UserState, amount: bigint): Rejection | undefined {
  return atOnce("transfer_limit", draft.entity(sender.creatorId).transferLimit, amount);
}
