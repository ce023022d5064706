import type { Approval } from "../../src/contract/broker.ts";
import type { AppContext } from "../app-context.ts";
import { type Attempt, isAttempt } from "./attempt-store.ts";

/** What a person approved while it is not known yet what became of it: so that nobody pays it a second time. */
export interface Sent extends Pick<Approval, "payee" | "amount" | "currency"> {
  readonly attempt: Attempt;
  /** The page that can tell what became of it, with its fragment. */
  readonly path: string;
}

/** Whether what was kept is one. */
export function isSent(value: unknown): value is Sent {
  if (typeof value !== "object" || value === null) return false;
  const { amount, attempt, currency, path, payee } = value as Record<string, unknown>;
  return (
    typeof amount === "number" &&
    isAttempt(attempt) &&
    [currency, path, payee].every((text) => typeof text === "string")
  );
}

/** Opens the page that asks what became of it, and pays nothing by itself. */
export function followSent(
  { attempt, path }: Sent,
  { attempts, router }: Pick<AppContext, "attempts" | "router">,
): void {
  const { code, key } = attempt;
  attempts.keep({ ...attempt, sent: true });
  router.go(path, { state: { attempt: key, ...(code === undefined ? {} : { code }) } });
}

/** Forgets what turned out well, which the movements tell by then; what did not is told where it was approved. */
export async function forgetPaid({ api, store }: Pick<AppContext, "api" | "store">): Promise<void> {
  for (const { attempt } of store.sent) {
    const { approvalId: id, key } = attempt;
    if (id === undefined) continue;
    // Without an answer it stays, and is asked for with the next look.
    const answer = await api.approval({ params: { id } }).catch(() => undefined);
    if (answer?.body.state === "approved") await store.dropSent(key);
  }
}
