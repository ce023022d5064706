import type * as contract from "../../../src/contract/service/credits.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { ApiCaller, ServiceContext } from "../shared/service-context.ts";
import { endCredit } from "./end-credit.ts";

/** Cancels a credit that was assigned or imported by mistake. */
export function cancelCredit(service: ServiceContext): Handler<typeof contract.cancelCredit, ApiCaller> {
  return (call) => endCredit(service, "cancelCredit", call);
}
