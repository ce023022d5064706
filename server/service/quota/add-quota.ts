import type * as contract from "../../../src/contract/service/quota.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { type ApiCaller, post, type ServiceContext, toText } from "../shared/service-context.ts";
import { readQuotaAssignment } from "./read-quota-assignment.ts";

/** Assigns quota to a user: opens a credit, or takes in a deposit. */
export function addQuota(service: ServiceContext): Handler<typeof contract.addQuota, ApiCaller> {
  return async (call) => {
    return post(service, "addQuota", call, {
      action: await readQuotaAssignment(service, call),
      answer: (assignment) => ({
        message: `${toText(service.currency, assignment.amount)} added to the quota of ${assignment.userName}.`,
        response: assignment.reference,
      }),
    });
  };
}
