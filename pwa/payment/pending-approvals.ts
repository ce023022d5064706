import type { Approval } from "../../src/contract/broker/broker.ts";
import type { AppContext } from "../app-context.ts";
import { isAttempt, type PaymentAttempt } from "./attempt-store.ts";

/** A sent approval whose outcome is not known yet, kept so that nobody pays it a second time. */
export interface PendingApproval extends Pick<Approval, "payee" | "amount" | "currency"> {
  readonly attempt: PaymentAttempt;
  /** Path of the page that can ask for its outcome, with its fragment. */
  readonly path: string;
}

/** True if a stored value is a sent approval. */
export function isPendingApproval(value: unknown): value is PendingApproval {
  if (typeof value !== "object" || value === null) return false;
  const { amount, attempt, currency, path, payee } = value as Record<string, unknown>;
  return (
    typeof amount === "number" &&
    isAttempt(attempt) &&
    [currency, path, payee].every((text) => typeof text === "string")
  );
}

/** Opens the page that asks for the outcome, and pays nothing by itself. */
export function openPendingApproval(
  { attempt, path }: PendingApproval,
  { attempts, router }: Pick<AppContext, "attempts" | "router">,
): void {
  const { code, key } = attempt;
  attempts.keep({ ...attempt, sent: true });
  router.go(path, { state: { attempt: key, ...(code === undefined ? {} : { code }) } });
}

/** Forgets approvals that were paid, which the movements show by then; a failure is shown where it was approved. */
export async function dropPaidApprovals({ api, store }: Pick<AppContext, "api" | "store">): Promise<void> {
  for (const { attempt } of store.pendingApprovals) {
    const { approvalId: id, key } = attempt;
    if (id === undefined) continue;
    // Without an answer it stays, and is asked for after the next sync.
    const answer = await api.approval({ params: { id } }).catch(() => undefined);
    if (answer?.body.state === "approved") await store.dropPendingApproval(key);
  }
}
