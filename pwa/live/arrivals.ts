import type { Movement } from "../../src/contract/broker.ts";

/** Money that counts as arrived: settled, and no more than a few minutes old, so that an old backlog stays quiet. */
const FRESH_MS = 10 * 60_000;

/** Picks out, of what the person received lately, what arrived since the last look, once each, oldest first. */
export class Arrivals {
  #known: ReadonlySet<string> | undefined;

  /** What is new in the latest received movements; of the first look nothing is, for the person has it before them. */
  among(received: readonly Movement[], nowMs: number): readonly Movement[] {
    const known = this.#known;
    // What is held has not arrived yet, and is told once it is settled.
    const settled = received.filter(({ status }) => status !== "pending");
    this.#known = new Set([...(known ?? []), ...settled.map(({ id }) => id)]);
    if (known === undefined) return [];
    return settled
      .filter(({ id, status, created_at: at }) => {
        return !known.has(id) && status === "approved" && nowMs - Date.parse(at) < FRESH_MS;
      })
      .toReversed();
  }

  /** Forgets everything, as for another person. */
  forget(): void {
    this.#known = undefined;
  }
}
