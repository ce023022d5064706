import { MoneyEvent } from "../../../../src/contract/service/webhooks.ts";
import { fits } from "../../../../src/contract/shared/validate.ts";

/** The users whose money an event is about. */
export interface MovedMoney {
  /** Users of the service whom the event concerns. */
  readonly users: readonly string[];
  /** Money that a user received, in the one event that reports it. */
  readonly arrival?: { readonly userId: string; readonly id: string };
}

/** Events that report the money of an approved movement as newly arrived. */
const ARRIVING: ReadonlySet<MoneyEvent["type"]> = new Set([
  "transaction.created",
  "transaction.settled",
  "ledger.transfer",
]);

/** Reads whose money a message of the service is about; undefined for any other message. */
export function movedMoney(event: unknown): MovedMoney | undefined {
  if (!fits(MoneyEvent, event)) return undefined;
  const { type, data } = event;
  if ("user_id" in data) return { users: [data.user_id] };
  const users = [data.from_user_id, data.to_user_id];
  if (!ARRIVING.has(type) || data.status !== "approved") return { users };
  return { users, arrival: { userId: data.to_user_id, id: data.id } };
}
