import { fits } from "../../../src/contract/validate.ts";
import { MoneyEvent } from "../../../src/contract/webhooks.ts";

/** Whose money an event is about. */
export interface MovedMoney {
  /** Users of the service to whom something happened. */
  readonly users: readonly string[];
  /** Money that somebody received, once. */
  readonly arrival?: { readonly userId: string; readonly id: string };
}

/** The events after which money of an approved movement is there that was not there before. */
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
