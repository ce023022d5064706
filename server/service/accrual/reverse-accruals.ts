import type * as contract from "../../../src/contract/service/reports.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { formatAmount } from "../../../src/money.ts";
import { type ApiCaller, originOf, refuseFaults, type ServiceContext } from "../shared/service-context.ts";
import { rememberAnswer } from "../shared/stored-answer.ts";
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
    return rememberAnswer(service, originOf("reverseAccruals", call), async () => {
      const { credits, amount, left } = await reverseDueAccruals({ sql, ledger, entityId, from, madeBy: clientId });
      return { from_day: from, credits, amount: formatAmount(amount, currency.digits), left: [...left] };
    });
  };
}
