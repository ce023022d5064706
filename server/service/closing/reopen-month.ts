import type * as contract from "../../../src/contract/service/reports.ts";
import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { firstDayOf } from "../reports/months.ts";
import { type ApiCaller, originOf, type ServiceContext } from "../shared/service-context.ts";
import { rememberAnswer } from "../shared/stored-answer.ts";
import { lastMonthOver } from "./close-months.ts";
import { reopenMonths } from "./reopen-months.ts";

/** Opens a month of the caller's books that was closed before it was over, and those after it. */
export function reopenMonth(service: ServiceContext): Handler<typeof contract.reopenMonth, ApiCaller> {
  return async (call) => {
    const { month } = call.body;
    const { entityId, clientId } = call.principal;
    if (month <= lastMonthOver(service)) {
      const detail = "The month is over, so its closing stands: put a mistake right in the month that is open.";
      throw new ApiError("month_over", { detail });
    }
    return rememberAnswer(service, originOf("reopenMonth", call), async () => {
      const now = service.clock();
      const reopened = await reopenMonths(service.sql, { entityId, month, now, madeBy: clientId });
      return {
        open_from: firstDayOf(month),
        reopened: reopened.map(({ closedAt, ...each }) => ({ ...each, closed_at: closedAt.toISOString() })),
      };
    });
  };
}
