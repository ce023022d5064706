import type { CodeInput } from "./read-code.ts";

/** One try to pay, transfer or give back: what must survive a reload so that nothing is paid twice. */
export interface Attempt {
  /** Idempotency key of the approval; a new attempt has a new one. */
  readonly key: string;
  /** Of a payment; a transfer or refund whose approval is not stored yet begins anew. */
  readonly code?: CodeInput;
  /** What the person typed for a code without an amount, in currency units. */
  readonly amount?: number;
  /** The note of a transfer. */
  readonly note?: string;
  /** The approval, once the broker has stored it. */
  readonly approvalId?: string;
}

const PLACE = "cupo.attempt";

/** Whether what was kept is an attempt. */
export function isAttempt(value: unknown): value is Attempt {
  if (typeof value !== "object" || value === null) return false;
  const { key, code, amount, approvalId } = value as Record<string, unknown>;
  if (typeof key !== "string" || code === null || !["object", "undefined"].includes(typeof code)) return false;
  if (amount !== undefined && typeof amount !== "number") return false;
  return approvalId === undefined || typeof approvalId === "string";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keeps the attempt under way for as long as the tab lives; one at a time, because one is confirmed at a time. */
export class AttemptStore {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** The attempt with that key, if it is the one under way. */
  find(key: string | undefined): Attempt | undefined {
    const kept = parse(this.#storage.getItem(PLACE) ?? "null");
    return isAttempt(kept) && kept.key === key ? kept : undefined;
  }

  /** Keeps an attempt in the place of the one before. */
  keep(attempt: Attempt): void {
    this.#storage.setItem(PLACE, JSON.stringify(attempt));
  }

  /** Forgets the attempt, as signing out does. */
  clear(): void {
    this.#storage.removeItem(PLACE);
  }
}
