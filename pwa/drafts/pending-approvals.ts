import type { AppContext } from "../context/app-context.ts";
import type { PendingApproval } from "../store/pending-approval.ts";

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
