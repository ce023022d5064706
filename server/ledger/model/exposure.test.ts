import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Exposures } from "../decide/exposures.ts";
import { type Direction, directionKey, type Exposure, exposureOf, isNearLimit, wholeExposure } from "./exposure.ts";

const DIRECTION: Direction = { creditorId: "creditor", debtorId: "debtor" };
const BACK: Direction = { creditorId: "debtor", debtorId: "creditor" };
const LIMIT = 1_000n;
const SLOTS = 4;

interface Slice {
  used: bigint;
  granted: bigint;
}

/** The rows of one direction, and the writers that take turns at them: as the database would keep them. */
class Rows {
  readonly slices: Slice[] = Array.from({ length: SLOTS }, () => ({ used: 0n, granted: 0n }));
  isNear = false;
  told = 0;
  divisions = 0;

  get total(): bigint {
    return this.slices.reduce((sum, { used }) => sum + used, 0n);
  }

  /** The exposure as a writer of a slot reads it; all of it when it locked every slice. */
  read(slot: number, isWhole: boolean): Exposure {
    const own = this.slices[slot] as Slice;
    const others = this.slices.filter((slice) => slice !== own);
    const exposure: Exposure = {
      ...DIRECTION,
      ...{ limit: LIMIT, setLimit: LIMIT, limitWhereUnset: LIMIT, held: 0n, isWhole: false },
      ...own,
      isNear: this.isNear,
      others: {
        used: others.reduce((sum, { used }) => sum + used, 0n),
        held: 0n,
        unused: others.reduce((sum, { used, granted }) => sum + (granted > used ? granted - used : 0n), 0n),
      },
    };
    return isWhole ? wholeExposure(exposure) : exposure;
  }

  /** Decides by the slice alone, and anew with every slice where that is not enough; returns true if it was allowed. */
  move(slot: number, amount: bigint, isRefund: boolean, isWhole = false): boolean {
    const back = { ...this.read(slot, true), ...BACK, limit: 10n ** 9n, used: 0n };
    const state = new Map([
      [directionKey(DIRECTION), this.read(slot, isWhole)],
      [directionKey(BACK), back],
    ]);
    const exposures = new Exposures(state);
    const isAllowed = isRefund || amount < 0n || exposures.mayOwe(DIRECTION, amount);
    if (isAllowed) exposures.post(DIRECTION, amount);
    if (exposures.short.size > 0) return this.move(slot, amount, isRefund, true);
    this.#save(slot, exposures);
    return isAllowed;
  }

  #save(slot: number, exposures: Exposures): void {
    this.told += exposures.broughtNear().filter(({ creditorId }) => creditorId === DIRECTION.creditorId).length;
    const change = exposures.changes().find(({ creditorId }) => creditorId === DIRECTION.creditorId);
    if (change === undefined) return;
    this.slices[slot] = { used: change.used, granted: change.granted };
    if (!change.isWhole) return;
    this.divisions += 1;
    this.isNear = change.isNear;
    for (const [index, slice] of this.slices.entries()) {
      if (change.reclaims && index !== slot && slice.granted > slice.used) slice.granted = slice.used;
    }
  }
}

const aMove = fc.record({
  slot: fc.nat(SLOTS - 1),
  amount: fc.constantFrom(1n, 29n, 50n, 130n, 300n, 450n, -1n, -31n, -130n, -300n, -450n),
  isRefund: fc.nat(19).map((draw) => draw === 0),
});

describe("writers that draw slices of one limit", () => {
  it("allow what fits the limit, refuse what does not, and give out no more than there is", () => {
    fc.assert(
      fc.property(fc.array(aMove, { maxLength: 80 }), (moves) => {
        const rows = new Rows();
        for (const { slot, amount, isRefund } of moves) {
          const before = rows.total;
          const fits = isRefund || amount < 0n || before + amount <= LIMIT;
          expect(rows.move(slot, amount, isRefund)).toBe(fits);
          expect(rows.total).toBe(fits ? before + amount : before);
          for (const { used, granted } of rows.slices) expect(used).toBeLessThanOrEqual(granted);
          const given = rows.slices.reduce((sum, { granted }) => sum + granted, 0n);
          if (rows.total <= LIMIT && !moves.some((move) => move.isRefund)) expect(given).toBeLessThanOrEqual(LIMIT);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("tell once that 80 % are used, at the payment that crosses them, and again only after it was less", () => {
    fc.assert(
      fc.property(fc.array(aMove, { maxLength: 80 }), (moves) => {
        const rows = new Rows();
        let wasNear = false;
        for (const { slot, amount, isRefund } of moves) {
          const told = rows.told;
          if (!rows.move(slot, amount, isRefund)) continue;
          const isNear = isNearLimit(rows.total, LIMIT);
          expect(rows.told - told).toBe(isNear && !wasNear ? 1 : 0);
          wasNear = isNear;
        }
      }),
      { numRuns: 500 },
    );
  });

  it("seldom divide the limit anew, and use all of it", () => {
    const rows = new Rows();
    for (let paid = 0; paid < 1_000; paid += 1) expect(rows.move(0, 1n, false)).toBe(true);
    expect([rows.total, rows.move(0, 1n, false)]).toEqual([LIMIT, false]);
    expect(rows.divisions).toBeLessThan(25);
  });

  it("leave nothing to a writer that is gone", () => {
    const rows = new Rows();
    for (const slot of [1, 2, 3]) expect(rows.move(slot, 10n, false)).toBe(true);
    expect(rows.move(0, LIMIT - 30n, false)).toBe(true);
    expect(exposureOf(rows.read(0, false))).toBe(LIMIT);
    expect(rows.slices.map(({ used, granted }) => granted - used)).toEqual([0n, 0n, 0n, 0n]);
  });
});
