import type { CodeInput, PaymentAttempt } from "./attempt-store.ts";

/** A code that was scanned and verified without a connection, and waits for the person to confirm it with one. */
export interface Draft {
  /** Idempotency key of the attempt that it becomes: confirmed in two tabs, it is still one attempt. */
  readonly id: string;
  readonly payload: string;
  readonly payee: string;
  /** In currency units; absent in a code without an amount. */
  readonly amount?: number;
  /** Absent in a code that can be paid more than once. */
  readonly reference?: string;
  /** Unix time in seconds. */
  readonly expiresAt?: number;
  /** When it was scanned, as an instant. */
  readonly savedAt: string;
}

/** True if a stored value is a draft. */
export function isDraft(value: unknown): value is Draft {
  if (typeof value !== "object" || value === null) return false;
  const draft = value as Readonly<Record<keyof Draft, unknown>>;
  const texts = [draft.id, draft.payload, draft.payee, draft.savedAt];
  const isNumber = (number: unknown): boolean => number === undefined || typeof number === "number";
  return texts.every((text) => typeof text === "string") && isNumber(draft.amount) && isNumber(draft.expiresAt);
}

/** True if the code of a draft waits already, scanned a moment before or in another tab. */
export function isWaiting({ payload }: Draft, kept: readonly Draft[]): boolean {
  return kept.some((other) => other.payload === payload);
}

/** True if a draft's code has expired, so that it can only be discarded. */
export function hasExpired({ expiresAt }: Draft, nowMs: number): boolean {
  return expiresAt !== undefined && nowMs >= expiresAt * 1_000;
}

/** Returns the attempt that an opened draft becomes: Confirm continues with it, and asks the person. */
export function attemptOf({ id, payload }: Draft): PaymentAttempt & { readonly code: CodeInput } {
  return { key: id, code: { payload } };
}
