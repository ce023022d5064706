import type { personContract } from "../../src/contract/broker/broker.ts";
import type { BodyOf } from "../../src/contract/shared/operation.ts";

/** A code as the broker takes it: its payload, or the reference that stands below it. */
export type CodeInput = { readonly payload: string } | { readonly reference: string };

/** The request body that opens an approval at the broker. */
export type ToApprove = BodyOf<typeof personContract.openApproval>;

/** One attempt to pay, transfer or refund: the data that must survive a reload so that nothing is paid twice. */
export interface PaymentAttempt {
  /** Idempotency key of the approval; a new attempt has a new one. */
  readonly key: string;
  /** Only of a payment; a transfer or refund whose approval is not stored yet starts over. */
  readonly code?: CodeInput;
  /** The amount that the person typed for a code without one, in currency units. */
  readonly amount?: number;
  /** The body that opened the approval, to open a new one where the confirmation did not arrive. */
  readonly asked?: ToApprove;
  /** Id of the approval, once the broker has stored it. */
  readonly approvalId?: string;
  /** True if a confirmation was sent, which may still be on its way. */
  readonly sent?: boolean;
}

const PLACE = "cupo.attempt";

const TYPES: Readonly<Record<Exclude<keyof PaymentAttempt, "key">, string>> = Object.freeze({
  code: "object",
  amount: "number",
  asked: "object",
  approvalId: "string",
  sent: "boolean",
});

/** True if a stored value is an attempt. */
export function isAttempt(value: unknown): value is PaymentAttempt {
  if (typeof value !== "object" || value === null) return false;
  const fields = value as Record<string, unknown>;
  const fits = ([name, type]: readonly [string, string]): boolean =>
    fields[name] === undefined || (fields[name] !== null && typeof fields[name] === type);
  return typeof fields.key === "string" && Object.entries(TYPES).every(fits);
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
  find(key: string | undefined): PaymentAttempt | undefined {
    const kept = parse(this.#storage.getItem(PLACE) ?? "null");
    return isAttempt(kept) && kept.key === key ? kept : undefined;
  }

  /** Keeps an attempt, and replaces the previous one. */
  keep(attempt: PaymentAttempt): void {
    this.#storage.setItem(PLACE, JSON.stringify(attempt));
  }

  /** Forgets the attempt, as signing out does. */
  clear(): void {
    this.#storage.removeItem(PLACE);
  }
}
