import type * as contract from "../../../src/contract/service/quota.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { AnswerOf } from "../../../src/contract/shared/operation.ts";
import { type ApiCaller, originOf, type ServiceContext, toText } from "../shared/service-context.ts";
import { readQuotaAssignment } from "./read-quota-assignment.ts";

/** Assigns quota to a user: opens a credit, or takes in a deposit. */
export function addQuota(service: ServiceContext): Handler<typeof contract.addQuota, ApiCaller> {
  return async (call) => {
    const posted = await service.ledger.post({
      origin: originOf("addQuota", call),
      action: await readQuotaAssignment(service, call),
      answer: (grant) => ({
        message: `${toText(service.currency, grant.amount)} added to the quota of ${grant.userName}.`,
        response: grant.reference,
      }),
    });
    return { body: posted.body as AnswerOf<typeof contract.addQuota>, replayed: posted.replayed };
  };
}
