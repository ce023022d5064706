import { ApiError, type Fault } from "../../../src/contract/errors.ts";
import type { Call, Handler } from "../../../src/contract/handler.ts";
import type * as contract from "../../../src/contract/quota.ts";
import { createPaymentReference } from "../../../src/payment-reference.ts";
import { DEFAULT_LOAN_TYPE, DEPOSIT } from "../../ledger/decide-users.ts";
import { type ApiCaller, originOf, readAmount, refuseFaults, type ServiceContext, toText } from "../service-context.ts";
import { findUser, type UserRecord } from "../users/find-user.ts";

const LOAN_TYPES: readonly string[] = [DEFAULT_LOAN_TYPE, DEPOSIT];

type Body = Call<typeof contract.addQuota, ApiCaller>["body"];

function termFaults({ time, clock }: ServiceContext, body: Body): Fault[] {
  const today = time.dayOf(clock());
  if (!LOAN_TYPES.includes(body.loan_type)) {
    return [{ pointer: "/loan_type", detail: `must be one of ${LOAN_TYPES.join(", ")}` }];
  }
  if (body.loan_type === DEPOSIT && body.payment_date !== today) {
    return [{ pointer: "/payment_date", detail: "must be today for a deposit" }];
  }
  return body.payment_date < today ? [{ pointer: "/payment_date", detail: "must be today or later" }] : [];
}

/** Finds whom `id` or `nit` names; with both, they must be the same user. */
async function userOf(service: ServiceContext, { id, nit }: Body): Promise<UserRecord> {
  const user = id === undefined ? await findUser(service, { nit: nit ?? "" }) : await findUser(service, { id });
  if (user === undefined) throw new ApiError("user_not_found", { detail: "No user has that id or nit." });
  if (nit === undefined) return user;
  const named = await findUser(service, { nit });
  if (named?.id !== user.id) refuseFaults([{ pointer: "/nit", detail: "belongs to another user than id" }]);
  return user;
}

/** Assigns quota to a user: opens a credit, or takes in a deposit. */
export function addQuota(service: ServiceContext): Handler<typeof contract.addQuota, ApiCaller> {
  return async (call) => {
    const { body, principal } = call;
    const faults = termFaults(service, body);
    const amount = readAmount(service.currency, body.amount, "/amount", faults);
    refuseFaults(faults);
    if (body.financial_entity_id !== undefined && body.financial_entity_id.toLowerCase() !== principal.entityId) {
      throw new ApiError("entity_not_yours", { detail: "Leave financial_entity_id out, or send your own." });
    }
    const user = await userOf(service, body);
    const posted = await service.ledger.post({
      origin: originOf("addQuota", call),
      action: {
        type: "grant",
        userId: user.id,
        amount,
        loanType: body.loan_type,
        dueDate: body.loan_type === DEPOSIT ? undefined : body.payment_date,
        reference: createPaymentReference(service.random),
      },
      answer: (grant) => ({
        message: `${toText(service.currency, grant.amount)} added to the quota of ${grant.userName}.`,
        response: grant.reference,
      }),
    });
    return { body: posted.body as { message: string; response: string }, replayed: posted.replayed };
  };
}
