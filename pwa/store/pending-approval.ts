import type { Approval } from "../../src/contract/broker/broker.ts";
import { isAttempt, type PaymentAttempt } from "./attempt-store.ts";

/** A sent approval whose outcome is not known yet, kept so that nobody pays it a second time. */
export interface PendingApproval extends Pick<Approval, "payee" | "amount" | "currency"> {
  readonly attempt: PaymentAttempt;
  /** Path of the page that can ask for its outcome, with its fragment. */
  readonly path: string;
}

/** True if a stored value is a {@link PendingApproval}. */
export function isPendingApproval(value: unknown): value is PendingApproval {
  if (typeof value !== "object" || value === null) return false;
  const { amount, attempt, currency, path, payee } = value as Record<string, unknown>;
  return (
    typeof amount === "number" &&
    isAttempt(attempt) &&
    [currency, path, payee].every((text) => typeof text === "string")
  );
}
