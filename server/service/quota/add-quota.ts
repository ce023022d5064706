import type { Fault } from "../../../src/contract/errors.ts";
import type { Call, Handler } from "../../../src/contract/handler.ts";
import type * as contract from "../../../src/contract/quota.ts";
import { createPaymentReference } from "../../../src/payment-reference.ts";
import type { Grant, Refusal, Refuse } from "../../ledger/command.ts";
import { DEFAULT_LOAN_TYPE, DEPOSIT } from "../../ledger/decide-users.ts";
import {
  type ApiCaller,
  FAULTS_DETAIL,
  originOf,
  readAmount,
  type ServiceContext,
  toText,
} from "../service-context.ts";
import { bareNit, findUser, type UserRecord } from "../users/find-user.ts";

const LOAN_TYPES: readonly string[] = [DEFAULT_LOAN_TYPE, DEPOSIT];

type AddQuotaCall = Call<typeof contract.addQuota, ApiCaller>;
type Body = AddQuotaCall["body"];

const notYours: Refusal = { code: "entity_not_yours", detail: "Leave financial_entity_id out, or send your own." };

function invalid(faults: readonly Fault[]): Refusal {
  return { code: "invalid_request", detail: FAULTS_DETAIL, faults };
}

function termFaults({ time, clock }: ServiceContext, body: Body): Fault[] {
  const { loan_type: loanType, payment_date: paymentDate } = body;
  const today = time.dayOf(clock());
  const faults: Fault[] = [];
  if (!LOAN_TYPES.includes(loanType)) {
    faults.push({ pointer: "/loan_type", detail: `must be one of ${LOAN_TYPES.join(", ")}` });
  }
  if (loanType === DEPOSIT && paymentDate !== today) {
    faults.push({ pointer: "/payment_date", detail: "must be today for a deposit" });
  } else if (paymentDate < today) faults.push({ pointer: "/payment_date", detail: "must be today or later" });
  return faults;
}

/** Finds whom `id` or `nit` names; with both, they must be the same user. */
async function userOf(service: ServiceContext, { id, nit }: Body): Promise<UserRecord | Refusal> {
  const user = id === undefined ? await findUser(service, { nit: nit ?? "" }) : await findUser(service, { id });
  if (user === undefined) return { code: "user_not_found", detail: "No user has that id or nit." };
  if (id === undefined || nit === undefined || user.nit === bareNit(nit)) return user;
  return invalid([{ pointer: "/nit", detail: "is not the nit of the user with that id" }]);
}

/** The grant, or why not: told through the ledger, because what was granted yesterday is answered again today. */
async function actionOf(service: ServiceContext, { body, principal }: AddQuotaCall): Promise<Grant | Refuse> {
  const faults = termFaults(service, body);
  const amount = readAmount(service.currency, body.amount, "/amount", faults);
  if (faults.length > 0) return { type: "refuse", refusal: invalid(faults) };
  if (body.financial_entity_id !== undefined && body.financial_entity_id.toLowerCase() !== principal.entityId) {
    return { type: "refuse", refusal: notYours };
  }
  const user = await userOf(service, body);
  if ("code" in user) return { type: "refuse", refusal: user };
  return {
    type: "grant",
    userId: user.id,
    amount,
    loanType: body.loan_type,
    terms: undefined,
    dueDate: body.loan_type === DEPOSIT ? undefined : body.payment_date,
    reference: createPaymentReference(service.random),
  };
}

/** Assigns quota to a user: opens a credit, or takes in a deposit. */
export function addQuota(service: ServiceContext): Handler<typeof contract.addQuota, ApiCaller> {
  return async (call) => {
    const posted = await service.ledger.post({
      origin: originOf("addQuota", call),
      action: await actionOf(service, call),
      answer: (grant) => ({
        message: `${toText(service.currency, grant.amount)} added to the quota of ${grant.userName}.`,
        response: grant.reference,
      }),
    });
    return { body: posted.body as { message: string; response: string }, replayed: posted.replayed };
  };
}
