import type { Movement } from "../../src/contract/broker/broker.ts";

/** Maximum age of a payment that is reported as an arrival, so that an old backlog stays silent. */
const FRESH_MS = 10 * 60_000;

/**
 * Selects the received payments that arrived since the last poll and are less than ten minutes old: once each, oldest
 * first.
 */
export class Arrivals {
  #known: ReadonlySet<string> | undefined;

  /** Returns the new ones of the latest received movements; none at the first poll, because the page shows them. */
  among(received: readonly Movement[], nowMs: number): readonly Movement[] {
    const known = this.#known;
    // A pending payment has not arrived yet, and is reported once it is settled.
    const settled = received.filter(({ status }) => status !== "pending");
    this.#known = new Set([...(known ?? []), ...settled.map(({ id }) => id)]);
    if (known === undefined) return [];
    return settled
      .filter(({ id, status, created_at: at }) => {
        return !known.has(id) && status === "approved" && nowMs - Date.parse(at) < FRESH_MS;
      })
      .toReversed();
  }

  /** Clears the known movements, as for another person. */
  forget(): void {
    this.#known = undefined;
  }
}
