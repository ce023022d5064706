import type * as contract from "../../../src/contract/service/counterparty-limits.ts";
import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { recordAccess } from "../shared/record-access.ts";
import { type ApiCaller, originOf, readOwed, refuseFaults, type ServiceContext } from "../shared/service-context.ts";
import { limitAnswer } from "./counterparty-limits.ts";
import { findCounterparty } from "./find-counterparty.ts";

/** Sets how much another entity may come to owe the caller's; null restores the default. */
export function putCounterpartyLimit(
  service: ServiceContext,
): Handler<typeof contract.putCounterpartyLimit, ApiCaller> {
  const { sql, ledger, currency, clock } = service;
  return async (call) => {
    const { entityId, clientId } = call.principal;
    const faults: Fault[] = [];
    const { limit: sent } = call.body;
    const limit = sent === null ? null : readOwed(currency, sent, "/limit", faults);
    refuseFaults(faults);
    const counterparty = await findCounterparty(service, {
      id: call.params.entity_id,
      entityId,
      pointer: "/entity_id",
    });
    const posted = await ledger.post({
      origin: originOf("putCounterpartyLimit", call),
      action: { type: "limit-counterparty", debtorId: counterparty.id, limit },
      answer: ({ exposure, reverse }) => limitAnswer({ ...counterparty, theirs: exposure, own: reverse }, currency),
    });
    const subject = `${entityId}/${counterparty.id}`;
    const record = { madeBy: clientId, requestId: call.requestId, action: "putCounterpartyLimit", subject };
    await sql.begin((tx) => recordAccess(tx, { ...record, outcome: "done" }, clock()));
    return { body: posted.body as contract.CounterpartyLimit };
  };
}
