import type * as contract from "../../../src/contract/service/credits.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { ApiCaller, ServiceContext } from "../shared/service-context.ts";
import { endCredit } from "./end-credit.ts";

/** Writes off what is owed of a credit. */
export function writeOffCredit(service: ServiceContext): Handler<typeof contract.writeOffCredit, ApiCaller> {
  return (call) => endCredit(service, "writeOffCredit", call);
}
