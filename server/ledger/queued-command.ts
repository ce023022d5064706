import { setImmediate as nextTurn } from "node:timers/promises";
import { daysBetween } from "../../src/calendar-day.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { parseExactJson } from "../../src/parse-exact-json.ts";
import type { Verdict } from "./decide/decide.ts";
import type { Command, Refusal } from "./model/command.ts";
import { idempotencyScope } from "./model/state.ts";

/**
 * The answer to a command: its body, and `replayed`, true if it repeats the stored answer of an earlier request with
 * the same idempotency key.
 */
export interface Posted {
  readonly body: unknown;
  readonly replayed: boolean;
}

/** A command that waits for its commit. */
export interface QueuedCommand {
  readonly command: Command;
  /** Its amount of work, in payments. */
  readonly size: number;
  readonly since: number;
  readonly resolve: (posted: Posted) => void;
  readonly reject: (error: unknown) => void;
}

/** Answers of one commit that are given in one turn of the event loop. */
const ANSWERS_AT_ONCE = 32;

function refusalError(refusal: Refusal, replayed: boolean): ApiError {
  return new ApiError(refusal.code, { detail: refusal.detail, faults: refusal.faults ?? [], replayed });
}

/** Returns the answer that a verdict makes; throws `ApiError` for a refusal. */
export function postedOf(verdict: Verdict): Posted {
  if (verdict.type === "done") return { body: verdict.body, replayed: false };
  if (verdict.type === "refused") throw refusalError(verdict.refusal, false);
  if ("refusal" in verdict.answer) throw refusalError(JSON.parse(verdict.answer.refusal) as Refusal, true);
  return { body: parseExactJson(verdict.answer.body), replayed: true };
}

function tell(ticket: QueuedCommand, verdict: Verdict): void {
  try {
    ticket.resolve(postedOf(verdict));
  } catch (error) {
    ticket.reject(error);
  }
}

/** Answers commands in their order, some at a time: requests are read and answered in between. */
export async function tellAll(batch: readonly QueuedCommand[], verdicts: readonly Verdict[]): Promise<void> {
  for (const [index, ticket] of batch.entries()) {
    if (index > 0 && index % ANSWERS_AT_ONCE === 0) await nextTurn();
    tell(ticket, verdicts[index] as Verdict);
  }
}

/** A day's interest of a credit costs a fraction of a payment. */
const ACCRUED_DAYS_PER_PAYMENT = 5;

/** The amount of work of a command, in payments: a commit of many large ones would outlast its time limit. */
export function sizeOf({ action }: Command, today: () => string): number {
  if (action.type === "batch") return action.items.length;
  if (action.type === "accrue" || action.type === "reverse-accruals") return action.credits.length;
  if (action.type !== "import-credit") return 1;
  return 1 + Math.max(0, daysBetween(action.accruedThrough, today())) / ACCRUED_DAYS_PER_PAYMENT;
}
/** True for the service's own work: no caller waits for its answer, so it may wait as long as it must. */
export function isOwnWork({ action }: Command): boolean {
  return action.type === "accrue" || action.type === "lapse";
}

/** The scope of its idempotency key, if it has one. */
export function scopeOf({ origin }: Command): string | undefined {
  return origin.idempotency && idempotencyScope(origin, origin.idempotency.key);
}
