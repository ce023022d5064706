import type * as contract from "../../../src/contract/service/reports.ts";
import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { lastDayOf } from "../reports/months.ts";
import { type ApiCaller, originOf, refuseFaults, type ServiceContext } from "../shared/service-context.ts";
import { rememberAnswer } from "../shared/stored-answer.ts";
import { closeMonths, firstMonthOf, lastMonthOver } from "./close-months.ts";

/** Closes a month of the caller's books, and the open ones before it. */
export function closeMonth(service: ServiceContext): Handler<typeof contract.closeMonth, ApiCaller> {
  return async (call) => {
    const { month } = call.body;
    const { entityId } = call.principal;
    const first = await firstMonthOf(service, entityId);
    refuseFaults(month < first ? [{ pointer: "/month", detail: "must not be before your entity's first month" }] : []);
    return rememberAnswer(service, originOf("closeMonth", call), async () => {
      if (month > lastMonthOver(service)) {
        throw new ApiError("month_not_over", { detail: "The month is not over in the business time zone." });
      }
      const { closedAt, sha256 } = await closeMonths(service, entityId, month);
      return { month, closed_through: lastDayOf(month), closed_at: closedAt.toISOString(), sha256 };
    });
  };
}
