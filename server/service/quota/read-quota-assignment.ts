import type { addQuota } from "../../../src/contract/service/quota.ts";
import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { BodyOf } from "../../../src/contract/shared/operation.ts";
import { createPaymentReference } from "../../../src/payment-reference.ts";
import { DEPOSIT } from "../../ledger/decide/decide-users.ts";
import type { AssignQuota, Refusal, Refuse } from "../../ledger/model/command.ts";
import { readTerms } from "../loan-types/read-terms.ts";
import { readAmount, type ServiceContext } from "../shared/service-context.ts";
import type { LookUpCall } from "../users/look-up-user.ts";
import { findWho, invalidRequest } from "./find-named-user.ts";

type Body = BodyOf<typeof addQuota>;

const notYours: Refusal = { code: "entity_not_yours", detail: "Leave financial_entity_id out, or send your own." };

function dateFaults({ time, clock }: ServiceContext, { loan_type, payment_date }: Body): Fault[] {
  const today = time.dayOf(clock());
  if (loan_type === DEPOSIT && payment_date !== today) {
    return [{ pointer: "/payment_date", detail: "must be today for a deposit" }];
  }
  return payment_date < today ? [{ pointer: "/payment_date", detail: "must be today or later" }] : [];
}

/**
 * Reads a request into the ledger action of a quota assignment. Faults become an action that refuses, which is posted
 * too: so the retry of an assignment whose `payment_date` is past by now gets the answer of the first request.
 */
export async function readQuotaAssignment(
  service: ServiceContext,
  call: LookUpCall & { readonly body: Body },
): Promise<AssignQuota | Refuse> {
  const { body, principal } = call;
  const { entityId } = principal;
  const faults: Fault[] = [];
  const isDeposit = body.loan_type === DEPOSIT;
  const terms = isDeposit ? undefined : await readTerms(service, entityId, body.loan_type, faults, [DEPOSIT]);
  faults.push(...dateFaults(service, body));
  const amount = readAmount(service.currency, body.amount, "/amount", faults);
  if (faults.length > 0) return { type: "refuse", refusal: invalidRequest(faults) };
  if (body.financial_entity_id !== undefined && body.financial_entity_id.toLowerCase() !== entityId) {
    return { type: "refuse", refusal: notYours };
  }
  const user = await findWho(service, body, call);
  if ("code" in user) return { type: "refuse", refusal: user };
  return {
    type: "assign-quota",
    userId: user.id,
    amount,
    loanType: body.loan_type,
    terms,
    dueDate: isDeposit ? undefined : body.payment_date,
    reference: createPaymentReference(service.random),
  };
}
