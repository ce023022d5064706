import type { AppContext } from "../context/app-context.ts";
import type { PendingApproval } from "../store/pending-approval.ts";

/**
 * Opens the page of an approval whose outcome is unknown; that page asks the broker for the outcome, and nothing is
 * paid by opening it.
 */
export function openPendingApproval(
  { attempt, path }: PendingApproval,
  { attempts, router }: Pick<AppContext, "attempts" | "router">,
): void {
  const { code, key } = attempt;
  attempts.keep({ ...attempt, sent: true });
  router.go(path, { state: { attempt: key, ...(code === undefined ? {} : { code }) } });
}

/**
 * Asks the broker for each approval of unknown outcome, and forgets those that turn out paid, which the movements show
 * by then; one that failed is kept until the page where it was approved shows the failure.
 */
export async function dropPaidApprovals({ api, store }: Pick<AppContext, "api" | "store">): Promise<void> {
  for (const { attempt } of store.pendingApprovals) {
    const { approvalId: id, key } = attempt;
    if (id === undefined) continue;
    // Without an answer it stays, and is asked for after the next sync.
    const answer = await api.approval({ params: { id } }).catch(() => undefined);
    if (answer?.body.state === "approved") await store.dropPendingApproval(key);
  }
}
