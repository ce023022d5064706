import { oldestOpen } from "../../ledger/storage/open-writers.ts";
import type { ServiceContext } from "./service-context.ts";

/** How long an answer is used again: it stays right, and repeats so much more. */
const KEPT_MS = 100;

/**
 * Makes the function that tells from when on changes may be missing in rows that are read after it: from now, or from
 * the oldest commit that is open.
 */
export function changesFrom({ sql, clock }: Pick<ServiceContext, "sql" | "clock">): ServiceContext["changesFrom"] {
  let kept: { readonly at: Date; readonly oldest: Promise<Date | undefined> } | undefined;
  return async () => {
    const now = clock();
    if (kept === undefined || Math.abs(now.getTime() - kept.at.getTime()) > KEPT_MS) {
      kept = { at: now, oldest: oldestOpen(sql) };
    }
    const { at, oldest } = kept;
    try {
      return new Date(Math.min(at.getTime(), (await oldest)?.getTime() ?? Number.POSITIVE_INFINITY));
    } catch (error) {
      kept = undefined;
      throw error;
    }
  };
}
