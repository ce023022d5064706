import type { Movement } from "../../src/contract/broker/broker.ts";

/** The person's nicknames for others, by user id. */
export type NicknameMap = ReadonlyMap<string, string>;

/** True if two have the same nicknames for the same people. */
export function isSameMap(one: NicknameMap, other: NicknameMap): boolean {
  return one.size === other.size && [...one].every(([id, nickname]) => other.get(id) === nickname);
}

/** A movement with the person's nickname for its counterparty, apart from the name: no name can be taken for both. */
export interface NamedMovement extends Movement {
  readonly nickname?: string;
}

/** True if money of the counterparty came to the person: the broker named them in full there. */
function isPaid({ direction, kind, status }: Movement): boolean {
  return direction === "received" && kind !== "refund" && (status === "approved" || status === "reversed");
}

/**
 * Names the counterparties of movements as the person knows them by now: in full from the day on which they paid the
 * person (`others` are further movements that may tell), also in earlier movements, and with the person's nickname for
 * them beside the name, never instead of it.
 */
export function nameMovements(
  movements: readonly Movement[],
  nicknames: NicknameMap,
  others: readonly Movement[] = [],
): readonly NamedMovement[] {
  const full = new Map<string, string>();
  for (const movement of [...movements, ...others]) {
    const { counterparty, counterparty_id: id } = movement;
    if (isPaid(movement) && !full.has(id)) full.set(id, counterparty);
  }
  return movements.map((movement) => {
    const { counterparty, counterparty_id: id } = movement;
    const [name, nickname] = [full.get(id) ?? counterparty, nicknames.get(id)];
    if (nickname !== undefined) return { ...movement, counterparty: name, nickname };
    return name === counterparty ? movement : { ...movement, counterparty: name };
  });
}
