import type * as contract from "../../../src/contract/service/credits.ts";
import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { AnswerOf, BodyOf } from "../../../src/contract/shared/operation.ts";
import { formatAmount } from "../../../src/money.ts";
import { createPaymentReference } from "../../../src/payment-reference.ts";
import type { Refuse } from "../../ledger/model/command.ts";
import type { RepayCredit, RepaymentRecord } from "../../ledger/model/credit-commands.ts";
import { findWho, invalidRequest } from "../quota/find-named-user.ts";
import { postDebit } from "../quota/post-debit.ts";
import { type ApiCaller, readAmount, type ServiceContext, toText } from "../shared/service-context.ts";
import type { LookUpCall } from "../users/look-up-user.ts";
import { creditAnswer } from "./credit-answer.ts";

type Answer = AnswerOf<typeof contract.repayCredit>;

async function readRepayment(
  service: ServiceContext,
  call: LookUpCall & { readonly body: BodyOf<typeof contract.repayCredit> },
): Promise<RepayCredit | Refuse> {
  const { body } = call;
  const faults: Fault[] = [];
  const amount = readAmount(service.currency, body.amount, "/amount", faults);
  if (faults.length > 0) return { type: "refuse", refusal: invalidRequest(faults) };
  const user = await findWho(service, body, call);
  if ("code" in user) return { type: "refuse", refusal: user };
  return {
    type: "repay-credit",
    userId: user.id,
    creditId: body.credit_id?.toLowerCase(),
    amount,
    source: body.source,
    reference: createPaymentReference(service.random),
  };
}

function answerOf(record: RepaymentRecord, source: "cash" | "quota", day: string, service: ServiceContext): Answer {
  const { currency } = service;
  const text = (minor: bigint): string => formatAmount(minor, currency.digits);
  const from = source === "cash" ? "in cash for" : "from the quota of";
  return {
    message: `${toText(currency, record.amount)} repaid ${from} ${record.userName}.`,
    response: record.reference,
    repaid_interest: text(record.repaidInterest),
    repaid_principal: text(record.repaidPrincipal),
    recovered: text(record.recovered),
    credits: record.credits.map((credit) => creditAnswer(credit, { userName: record.userName, day, currency })),
  };
}

/** Repays a credit, or all of a user's credits at the caller in order, in cash or from the quota. */
export function repayCredit(service: ServiceContext): Handler<typeof contract.repayCredit, ApiCaller> {
  return async (call) => {
    const day = service.time.dayOf(service.clock());
    return postDebit(service, "repayCredit", call, {
      action: await readRepayment(service, call),
      answer: (record) => answerOf(record, call.body.source, day, service),
    });
  };
}
