import type * as contract from "../../../src/contract/service/transaction-changes.ts";
import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { Call, Handler } from "../../../src/contract/shared/handler.ts";
import { createPaymentReference } from "../../../src/payment-reference.ts";
import { transactionNotFound } from "../../ledger/decide/decide-holds.ts";
import type { Refuse } from "../../ledger/model/command.ts";
import type { SettleHold } from "../../ledger/model/payment-commands.ts";
import { type ApiCaller, post, readAmount, refuseFaults, type ServiceContext } from "../shared/service-context.ts";
import { findRecordedPayment } from "./find-recorded-payment.ts";
import { transactionAnswer } from "./transaction-answer.ts";

type SettleCall = Call<typeof contract.settleTransaction, ApiCaller>;

async function actionOf(service: ServiceContext, { body, principal }: SettleCall): Promise<SettleHold | Refuse> {
  const faults: Fault[] = [];
  const amount = body.amount === undefined ? undefined : readAmount(service.currency, body.amount, "/amount", faults);
  if (body.status === "rejected" && amount !== undefined) {
    faults.push({ pointer: "/amount", detail: "goes with approved: a release gives back all that is held" });
  }
  refuseFaults(faults);
  const payment = await findRecordedPayment(service, { id: body.id, viewerId: principal.entityId });
  if (payment === undefined) return { type: "refuse", refusal: transactionNotFound };
  return {
    ...payment,
    type: "settle",
    status: body.status,
    amount,
    reference: createPaymentReference(service.random),
  };
}

/** Settles a held payment, for all of it or less, or releases it. */
export function settleTransaction(service: ServiceContext): Handler<typeof contract.settleTransaction, ApiCaller> {
  return async (call) => {
    return post(service, "settleTransaction", call, {
      action: await actionOf(service, call),
      answer: (record) => transactionAnswer(record, call.principal.entityId, service),
    });
  };
}
