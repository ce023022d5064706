import type * as contract from "../../../src/contract/service/counterparty-limits.ts";
import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { formatAmount } from "../../../src/money.ts";
import { createPaymentReference } from "../../../src/payment-reference.ts";
import type { SettlementRecord } from "../../ledger/model/counterparty-commands.ts";
import {
  type ApiCaller,
  type Currency,
  post,
  readAmount,
  refuseFaults,
  type ServiceContext,
} from "../shared/service-context.ts";
import { findCounterparty } from "./find-counterparty.ts";

/** Builds the answer, and the event's data, of an entity settlement: the same for both entities. */
export function settlementAnswer(
  { reference, creditorId, debtorId, amount }: SettlementRecord,
  { digits }: Currency,
): contract.CounterpartySettlement {
  return { reference, creditor_id: creditorId, debtor_id: debtorId, amount: formatAmount(amount, digits) };
}

/** Records a payment outside of Cupo by which another entity settles part or all of what it owes the caller's. */
export function recordSettlement(service: ServiceContext): Handler<typeof contract.recordSettlement, ApiCaller> {
  return async (call) => {
    const { body, principal } = call;
    const faults: Fault[] = [];
    const amount = readAmount(service.currency, body.amount, "/amount", faults);
    refuseFaults(faults);
    const debtor = { id: body.debtor_id, entityId: principal.entityId, pointer: "/debtor_id" };
    const { id: debtorId } = await findCounterparty(service, debtor);
    return post(service, "recordSettlement", call, {
      action: {
        type: "record-settlement",
        debtorId,
        amount,
        reference: createPaymentReference(service.random),
      },
      answer: (settlement) => settlementAnswer(settlement, service.currency),
    });
  };
}
