import type * as contract from "../../../src/contract/service/reports.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { AnswerOf } from "../../../src/contract/shared/operation.ts";
import { formatAmount } from "../../../src/money.ts";
import { refuseReusedKey } from "../shared/refuse-reused-key.ts";
import { type ApiCaller, originOf, refuseFaults, type ServiceContext } from "../shared/service-context.ts";
import { reverseDueAccruals } from "./reverse-due-accruals.ts";

/** Reverses the interest that was accrued on the caller's credits from a day on. */
export function reverseAccruals(service: ServiceContext): Handler<typeof contract.reverseAccruals, ApiCaller> {
  return async (call) => {
    const { from_day: from } = call.body;
    const { entityId, clientId } = call.principal;
    const { sql, ledger, currency } = service;
    const [entity] = await sql<{ closedThrough: string | null }[]>`
      select closed_through::text as "closedThrough" from service.entities where id = ${entityId}`;
    const isClosed = entity?.closedThrough != null && from <= entity.closedThrough;
    refuseFaults(isClosed ? [{ pointer: "/from_day", detail: "must be in a month that is not closed" }] : []);
    const origin = originOf("reverseAccruals", call);
    await refuseReusedKey(service, origin);
    const { credits, amount, left } = await reverseDueAccruals({ sql, ledger, entityId, from, madeBy: clientId });
    const answer = { from_day: from, credits, amount: formatAmount(amount, currency.digits), left };
    const { body, replayed } = await ledger.post({ origin, action: { type: "remember" }, answer: () => answer });
    return { body: body as AnswerOf<typeof contract.reverseAccruals>, replayed };
  };
}
