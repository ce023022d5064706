import type { Refusal } from "../model/command.ts";
import {
  type Direction,
  directionKey,
  divide,
  type Exposure,
  type ExposureChange,
  exposureOf,
  isNearLimit,
  isOutdated,
} from "../model/exposure.ts";

/** The refusal of an action by which one entity would come to owe another more than that creditor accepts. */
export const counterpartyLimit: Refusal = {
  code: "counterparty_limit",
  detail:
    "One entity would come to owe the other more than the other allows: see GET /counterparty-limits, settle what is " +
    "owed, or have the limit raised; nothing was moved.",
};

function isWithin({ creditorId, debtorId }: Direction): boolean {
  return creditorId === debtorId;
}

/**
 * The exposures between entities while a batch is decided: reads see what earlier commands of the batch added. Within
 * one entity there is none.
 */
export class Exposures {
  /** Directions that the writer's slice cannot decide: the batch is decided anew with all of their slices locked. */
  readonly short = new Set<string>();
  readonly #state: ReadonlyMap<string, Exposure>;
  readonly #changed = new Map<string, Exposure>();

  constructor(state: ReadonlyMap<string, Exposure>) {
    this.#state = state;
  }

  /** A direction that was read for this batch; a missing one is a bug of the loader. */
  of(direction: Direction): Exposure {
    const key = directionKey(direction);
    const exposure = this.#changed.get(key) ?? this.#state.get(key);
    if (exposure === undefined) throw new Error(`the exposure ${key} was not read for this batch`);
    return exposure;
  }

  /** A direction for a decision that depends on all of its slices: decided anew where not all of them are locked. */
  wholeOf(direction: Direction): Exposure {
    const exposure = this.of(direction);
    if (!exposure.isWhole) this.short.add(directionKey(direction));
    return exposure;
  }

  /** Sets or removes the creditor's limit; the slices of the earlier limit end. */
  limit(direction: Direction, setLimit: bigint | null): Exposure {
    const before = this.wholeOf(direction);
    const changed = { ...before, setLimit, limit: setLimit ?? before.limitWhereUnset };
    this.#changed.set(directionKey(direction), changed);
    return changed;
  }

  /** True if the debtor's exposure may grow by the amount. */
  mayOwe(direction: Direction, amount: bigint): boolean {
    if (isWithin(direction)) return true;
    const exposure = this.of(direction);
    if (amount > exposure.limit - exposureOf(exposure)) return false;
    return this.#hasRoom(exposure, amount);
  }

  /** Adds a posted amount, which may be negative, to what the debtor owes, and takes it from the opposite direction. */
  post(direction: Direction, amount: bigint): void {
    this.#add(direction, { used: amount, held: 0n });
    this.#add({ creditorId: direction.debtorId, debtorId: direction.creditorId }, { used: -amount, held: 0n });
  }

  /** Adds a held amount to the debtor's exposure, or takes it off (a negative amount). */
  hold(direction: Direction, amount: bigint): void {
    if (!isWithin(direction)) this.#add(direction, { used: amount, held: amount });
  }

  /** The changes to keep: each direction that changed, and each that was locked whole, with its new division. */
  changes(): ExposureChange[] {
    const keys = new Set(this.#changed.keys());
    for (const [key, { isWhole }] of this.#state) if (isWhole) keys.add(key);
    return [...keys].sort().map((key) => {
      const exposure = this.#changed.get(key) ?? (this.#state.get(key) as Exposure);
      return exposure.isWhole ? { ...exposure, ...divide(exposure) } : { ...exposure, reclaims: false };
    });
  }

  /** Directions whose exposure this batch brought near the limit, as they are now. */
  broughtNear(): Exposure[] {
    return this.changes().filter((each) => each.isWhole && each.isNear && !this.#wasNear(each));
  }

  /** True while the notice to the creditor holds: it lapses once the exposure is no longer near the limit. */
  #wasNear(direction: Direction): boolean {
    const before = this.#state.get(directionKey(direction));
    return before?.isNear === true && isNearLimit(exposureOf(before), before.limit);
  }

  #hasRoom(exposure: Exposure, amount: bigint): boolean {
    if (exposure.isWhole) return true;
    if (!isOutdated(exposure) && exposure.used + amount <= exposure.granted) return true;
    this.short.add(directionKey(exposure));
    return false;
  }

  #add(direction: Direction, { used, held }: Pick<Exposure, "used" | "held">): void {
    const before = this.of(direction);
    if (used > 0n) this.#hasRoom(before, used);
    this.#changed.set(directionKey(direction), { ...before, used: before.used + used, held: before.held + held });
  }
}
