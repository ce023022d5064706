import { sumAmounts } from "../../../src/money.ts";
import { entityAccountId, type PostingTime } from "../model/state.ts";
import { entityAccount, type Leg, type Line, movementLines } from "./books.ts";

type OwnAccountKind = Parameters<typeof entityAccount>[0];

/** Returns an entity's own account of a kind, in this writer's slot, as a leg of a movement. */
export function entityLeg(kind: OwnAccountKind, entityId: string, { slot }: Pick<PostingTime, "slot">): Leg {
  return { accountId: entityAccountId(entityAccount(kind, entityId, slot)), entityId };
}

/**
 * Builds the lines that move money from one leg (debited) to several accounts of an entity (credited): `parts` has the
 * amount of each kind of account, and zero makes no line. Where the leg is another entity's, that entity comes to owe
 * this one the sum.
 */
export function spreadLines(
  from: Leg,
  entityId: string,
  parts: Partial<Record<OwnAccountKind, bigint>>,
  moment: PostingTime,
): Line[] {
  const credited = (Object.entries(parts) as [OwnAccountKind, bigint][])
    .filter(([, amount]) => amount !== 0n)
    .map(([kind, amount]) => ({ accountId: entityLeg(kind, entityId, moment).accountId, amount }));
  const total = sumAmounts(credited.map(({ amount }) => amount));
  // Leaves out the last line, which credits the entity as a whole: its parts stand in its place.
  const whole = movementLines(from, { accountId: from.accountId, entityId }, total, moment).slice(0, -1);
  return total === 0n ? [] : [...whole, ...credited];
}

/** Returns the same lines the other way round: what was debited is credited. */
export function reversedLines(lines: readonly Line[]): Line[] {
  return lines.map(({ accountId, amount }) => ({ accountId, amount: -amount }));
}
