import type * as contract from "../../../src/contract/service/ledger.ts";
import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { BodyOf } from "../../../src/contract/shared/operation.ts";
import { createPaymentReference } from "../../../src/payment-reference.ts";
import type { Transfer } from "../../ledger/model/command.ts";
import { readDate } from "../shared/read-date.ts";
import { type ApiCaller, post, readAmount, refuseFaults, type ServiceContext } from "../shared/service-context.ts";
import { transferAnswer } from "./transfer-answer.ts";

function transferOf(service: ServiceContext, body: BodyOf<typeof contract.createLedgerTransaction>): Transfer {
  const faults: Fault[] = [];
  const amount = readAmount(service.currency, body.amount, "/amount", faults);
  const date = readDate(service, body.date, faults);
  const fromUserId = body.from_user_id.toLowerCase();
  const toUserId = body.to_user_id.toLowerCase();
  if (fromUserId === toUserId) faults.push({ pointer: "/to_user_id", detail: "must differ from from_user_id" });
  refuseFaults(faults);
  const details = JSON.stringify(body.details ?? {});
  const reference = createPaymentReference(service.random);
  return { type: "transfer", fromUserId, toUserId, amount, date, details, reference };
}

/** Transfers balance from one user to another, at once or not at all. */
export function createLedgerTransaction(
  service: ServiceContext,
): Handler<typeof contract.createLedgerTransaction, ApiCaller> {
  return async (call) => {
    return post(service, "createLedgerTransaction", call, {
      action: transferOf(service, call.body),
      answer: (record) => [transferAnswer(record, call.principal.entityId, service)],
    });
  };
}
