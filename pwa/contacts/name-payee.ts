import { maskName } from "../../src/mask-name.ts";
import type { Store } from "../store/store.ts";
import { nameMovements } from "./name-movements.ts";

/** How many of the latest movements are searched for the payee of a code. */
const LATEST = 500;

/**
 * Names the payee of a code as the broker does (rules of names), before it answers or without it: as in the movements
 * on this device, else masked, because a code does not tell a person from a business.
 */
export async function namePayee(
  { payee, payeeId }: { readonly payee: string; readonly payeeId: string },
  store: Pick<Store, "movements">,
): Promise<string> {
  const movements = nameMovements(await store.movements({ limit: LATEST }), new Map());
  return movements.find(({ counterparty_id: id }) => id === payeeId)?.counterparty ?? maskName(payee);
}
