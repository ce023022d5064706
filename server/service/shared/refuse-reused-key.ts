import type { Origin } from "../../ledger/model/command.ts";
import type { ServiceContext } from "./service-context.ts";
import { findKeptAnswer } from "./stored-answer.ts";

/** Refuses an idempotency key that was used for another request, before work that has commits of its own. */
export async function refuseReusedKey({ sql }: ServiceContext, origin: Origin): Promise<void> {
  await findKeptAnswer(sql, origin);
}
