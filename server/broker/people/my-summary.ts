import { ApiError } from "../../../src/contract/errors.ts";
import type { SummaryPayee } from "../../../src/contract/my-account.ts";
import type { GatedHandler, Granted } from "../gate.ts";
import { pageOf } from "./page-of.ts";

type Item = Awaited<ReturnType<Granted<"person", "mySummary">["transactionSummary"]>>["body"][number];

const DECIMAL = /^\d+(?:\.\d+)?$/;

/** Decimal text as the number of the wire: exact for every sum of which each digit can matter (interface: Money). */
function totalOf(text: string): number {
  if (!DECIMAL.test(text)) throw new ApiError("upstream_failed");
  return Number(text);
}

function toPayee({ _id, to_user, total_amount, transactions }: Item): SummaryPayee {
  const { by_status: counts, latest, last_date } = transactions;
  const last = latest.find(({ status }) => status === "approved" || status === "reversed");
  return {
    payee_id: _id,
    payee: to_user,
    total: totalOf(total_amount),
    payments: counts.approved + counts.reversed,
    last_at: last?.created_at ?? last_date,
  };
}

/** Tells a person whom they paid how much. */
export function mySummary(): GatedHandler<"person", "mySummary"> {
  return async ({ query }, service) => {
    const { body, nextCursor } = await service.transactionSummary(pageOf(query));
    return { body: body.map(toPayee), nextCursor };
  };
}
