import type { SummaryPayee } from "../../../../src/contract/broker/my-account.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { exactNumber } from "../../../../src/exact-json.ts";
import type { GatedHandler, Granted } from "../../access/policy/gate.ts";
import { pageQueryOf } from "./page-query.ts";
import { coverName, NAMELESS, type PartyNames } from "./party-names.ts";

type Item = Awaited<ReturnType<Granted<"person", "mySummary">["transactionSummary"]>>["body"][number];

const DECIMAL = /^\d+(?:\.\d+)?$/;

/** Parses decimal text to the wire's number, with every digit. */
function totalOf(text: string): number {
  if (!DECIMAL.test(text)) throw new ApiError("upstream_failed");
  return exactNumber(text);
}

function toPayee({ _id, total_amount, transactions }: Item, payee: string): SummaryPayee {
  const { by_status: counts, latest, last_date } = transactions;
  const last = latest.find(({ status }) => status === "approved" || status === "reversed");
  // A payee who was only topped up was found by phone or nit, and is shown by the look-up's masked name alone.
  const isNamed = latest.some(({ kind }) => kind !== "recharge");
  return {
    payee_id: _id,
    payee: isNamed ? payee : coverName(payee),
    total: totalOf(total_amount),
    payments: counts.approved + counts.reversed,
    last_at: last?.created_at ?? last_date,
  };
}

/**
 * Lists the payees of a person with the total paid to each, less refunds, shops by their business name as everywhere
 * else; the name of a payee who was only topped up is masked.
 */
export function mySummary(names: PartyNames): GatedHandler<"person", "mySummary"> {
  return async ({ query }, service) => {
    const { body, nextCursor } = await service.transactionSummary(pageQueryOf(query));
    const known = await names.namesOf(
      body.map(({ _id }) => _id),
      service.user,
    );
    return { body: body.map((item) => toPayee(item, known.get(item._id) ?? NAMELESS)), nextCursor };
  };
}
