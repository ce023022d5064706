import type * as contract from "../../../src/contract/service/quota.ts";
import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { BodyOf } from "../../../src/contract/shared/operation.ts";
import { formatAmount } from "../../../src/money.ts";
import { createPaymentReference } from "../../../src/payment-reference.ts";
import type { Refuse } from "../../ledger/model/command.ts";
import type { Discharge, RepaymentRecord } from "../../ledger/model/credit-commands.ts";
import { type ApiCaller, type Currency, readAmount, type ServiceContext, toText } from "../shared/service-context.ts";
import type { LookUpCall } from "../users/look-up-user.ts";
import { findWho, invalidRequest } from "./find-named-user.ts";
import { postDebit } from "./post-debit.ts";

type Body = BodyOf<typeof contract.dischargeQuota>;

/**
 * Reads a request into the ledger action of a discharge. Faults and an unknown user become an action that refuses: it
 * is posted too, so that an earlier answer under the same idempotency key is repeated instead.
 */
export async function readDischarge(
  service: ServiceContext,
  call: LookUpCall & { readonly body: Body },
): Promise<Discharge | Refuse> {
  const { body } = call;
  const faults: Fault[] = [];
  const amount = readAmount(service.currency, body.amount, "/amount", faults);
  if (faults.length > 0) return { type: "refuse", refusal: invalidRequest(faults) };
  const user = await findWho(service, body, call);
  if ("code" in user) return { type: "refuse", refusal: user };
  return { type: "discharge", userId: user.id, amount, reference: createPaymentReference(service.random) };
}

/** Builds the fields of a discharge's answer that say where its amount went: interest, principal and cash paid out. */
export function dischargeParts(record: RepaymentRecord, { digits }: Currency) {
  return {
    repaid_interest: formatAmount(record.repaidInterest, digits),
    repaid_principal: formatAmount(record.repaidPrincipal, digits),
    paid_out: formatAmount(record.paidOut, digits),
  };
}

function messageOf(record: RepaymentRecord, currency: Currency): string {
  const text = (minor: bigint): string => toText(currency, minor);
  return (
    `${text(record.amount)} taken from the quota of ${record.userName}: ${text(record.repaidInterest)} repaid ` +
    `interest, ${text(record.repaidPrincipal)} principal, and ${text(record.paidOut)} were paid out.`
  );
}

/** Takes quota from a user: repays what it owes the caller, and pays out the rest. */
export function dischargeQuota(service: ServiceContext): Handler<typeof contract.dischargeQuota, ApiCaller> {
  const { currency } = service;
  return async (call) => {
    return postDebit(service, "dischargeQuota", call, {
      action: await readDischarge(service, call),
      answer: (record) => ({
        message: messageOf(record, currency),
        response: record.reference,
        ...dischargeParts(record, currency),
      }),
    });
  };
}
