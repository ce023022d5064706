import type { SummaryPayee } from "../../../../src/contract/broker/my-account.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { exactNumber } from "../../../../src/exact-json.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import type { GatedHandler, Granted } from "../../access/policy/gate.ts";
import { namesFor } from "../contacts/tell-names.ts";
import { pageQueryOf } from "./page-query.ts";
import { NAMELESS, type PartyNames } from "./party-names.ts";

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
  return {
    payee_id: _id,
    payee,
    total: totalOf(total_amount),
    payments: counts.approved + counts.reversed,
    last_at: last?.created_at ?? last_date,
  };
}

/** Lists the payees of a person with the total paid to each, less refunds, named as everywhere else. */
export function mySummary(names: PartyNames, { sql }: Pick<BrokerContext, "sql">): GatedHandler<"person", "mySummary"> {
  return async ({ principal, query }, service) => {
    const { body, nextCursor } = await service.transactionSummary(pageQueryOf(query));
    const ids = body.map(({ _id }) => _id);
    const users = await names.usersOf(ids, service.user);
    const nameOf = await namesFor(sql, principal.userId, users.values());
    const payeeOf = (id: string): string => nameOf(users.get(id) ?? { id, name: NAMELESS, inFull: false });
    return { body: body.map((item) => toPayee(item, payeeOf(item._id))), nextCursor };
  };
}
