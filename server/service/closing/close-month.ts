import { ApiError } from "../../../src/contract/errors.ts";
import type { Handler } from "../../../src/contract/handler.ts";
import type { AnswerOf } from "../../../src/contract/operation.ts";
import type * as contract from "../../../src/contract/reports.ts";
import { type ApiCaller, originOf, refuseFaults, type ServiceContext } from "../service-context.ts";
import { closeMonths, firstMonthOf, lastMonthOver } from "./close-months.ts";
import { lastDayOf } from "./months.ts";
import { refuseReusedKey } from "./refuse-reused-key.ts";

/** Closes a month of the caller's books, and the open ones before it. */
export function closeMonth(service: ServiceContext): Handler<typeof contract.closeMonth, ApiCaller> {
  return async (call) => {
    const { month } = call.body;
    const { entityId } = call.principal;
    const first = await firstMonthOf(service, entityId);
    refuseFaults(month < first ? [{ pointer: "/month", detail: "must not be before your entity's first month" }] : []);
    const origin = originOf("closeMonth", call);
    await refuseReusedKey(service, origin);
    if (month > lastMonthOver(service)) {
      throw new ApiError("month_not_over", { detail: "The month is not over in the business time zone." });
    }
    const { closedAt, sha256 } = await closeMonths(service, entityId, month);
    const answer = { month, closed_through: lastDayOf(month), closed_at: closedAt.toISOString(), sha256 };
    const { body, replayed } = await service.ledger.post({
      origin,
      action: { type: "remember" },
      answer: () => answer,
    });
    return { body: body as AnswerOf<typeof contract.closeMonth>, replayed };
  };
}
