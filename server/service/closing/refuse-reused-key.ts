import type { Origin } from "../../ledger/command.ts";
import { findKeptAnswer } from "../kept-answer.ts";
import type { ServiceContext } from "../service-context.ts";

/** Before anything is done in steps of its own: a key that was used for another request must not do this one. */
export async function refuseReusedKey({ sql }: ServiceContext, origin: Origin): Promise<void> {
  await findKeptAnswer(sql, origin);
}
