import { ApiError } from "../../../src/contract/errors.ts";
import type { Handler } from "../../../src/contract/handler.ts";
import type { AnswerOf } from "../../../src/contract/operation.ts";
import type * as contract from "../../../src/contract/reports.ts";
import type { Origin } from "../../ledger/command.ts";
import { type ApiCaller, originOf, refuseFaults, type ServiceContext } from "../service-context.ts";
import { closeMonths, firstMonthOf, lastMonthOver } from "./close-months.ts";
import { lastDayOf } from "./months.ts";

/** Before anything is closed: a key that was used for another month must not close this one. */
async function refuseReusedKey({ sql }: ServiceContext, { clientId, operation, idempotency }: Origin): Promise<void> {
  if (idempotency === undefined) return;
  const [record] = await sql<{ fingerprint: string }[]>`
    select fingerprint from service.idempotency_records
    where client_id = ${clientId} and operation = ${operation} and key = ${idempotency.key}`;
  if (record === undefined || record.fingerprint === idempotency.fingerprint) return;
  const detail = "The idempotency key belongs to an earlier request with another body: use a new key.";
  throw new ApiError("idempotency_key_reused", { detail });
}

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
