import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { addDays } from "../../../src/calendar-day.ts";
import { MAX_AMOUNT_MINOR, sumAmounts } from "../../../src/money.ts";
import { type Accrual, type AccruingCredit, accrueThrough } from "./interest.ts";

const OPENED = "2027-11-17";

const credit: AccruingCredit = {
  outstanding: 1_000_000n,
  annualRateBps: 2_400,
  dayBasis: 365,
  dueDate: "2028-11-17",
  afterDue: "stop",
  accruedThrough: OPENED,
  accrualNumerator: 0n,
  accrued: 0n,
};

const aCredit: fc.Arbitrary<AccruingCredit> = fc
  .record({
    outstanding: fc.oneof(fc.bigInt(0n, 5_000n), fc.bigInt(0n, MAX_AMOUNT_MINOR)),
    annualRateBps: fc.oneof(fc.constantFrom(0, 1, 2_400, 100_000), fc.nat(100_000)),
    dayBasis: fc.constantFrom(360, 365),
    term: fc.option(fc.integer({ min: -30, max: 450 })),
    afterDue: fc.constantFrom("stop" as const, "continue" as const),
    accrualNumerator: fc.bigInt(0n, 10n ** 12n),
    accrued: fc.bigInt(0n, 1_000n),
  })
  .map(({ term, ...drawn }) => ({
    ...drawn,
    dueDate: term === null ? null : addDays(OPENED, term),
    accruedThrough: OPENED,
  }));

/** Accrues a credit in several goes, each a number of days after the one before. */
function accrueInSteps(start: AccruingCredit, steps: Iterable<number>): Accrual {
  let day = start.accruedThrough;
  let now: AccruingCredit = start;
  const days: Accrual["days"][number][] = [];
  for (const step of steps) {
    day = addDays(day, step);
    const { days: more, ...accrued } = accrueThrough(now, day);
    days.push(...more);
    now = { ...now, ...accrued };
  }
  const { accruedThrough, accrualNumerator, accrued } = now;
  return { days, accruedThrough, accrualNumerator, accrued };
}

describe("accruing", () => {
  test("400 days at once is the same as day by day, to the last minor unit of each day", () => {
    fc.assert(
      fc.property(aCredit, (start) => {
        const daily = accrueInSteps(
          start,
          Array.from({ length: 400 }, () => 1),
        );
        expect(accrueThrough(start, addDays(OPENED, 400))).toEqual(daily);
      }),
      { numRuns: 60 },
    );
  });

  test("in any steps is the same as at once", () => {
    fc.assert(
      fc.property(aCredit, fc.array(fc.nat(60), { minLength: 1, maxLength: 12 }), (start, steps) => {
        const total = steps.reduce((sum, step) => sum + step, 0);
        expect(accrueInSteps(start, steps)).toEqual(accrueThrough(start, addDays(OPENED, total)));
      }),
    );
  });

  test("gives days that sum to the total", () => {
    fc.assert(
      fc.property(aCredit, fc.nat(450), (start, count) => {
        const { days, accrued } = accrueThrough(start, addDays(OPENED, count));
        expect(accrued - start.accrued).toBe(sumAmounts(days.map(({ amount }) => amount)));
        expect(days.every(({ amount }) => amount > 0n)).toBe(true);
        expect(new Set(days.map(({ day }) => day)).size).toBe(days.length);
      }),
    );
  });

  test("stays within half a minor unit of the exact interest", () => {
    fc.assert(
      fc.property(aCredit, fc.nat(450), (drawn, count) => {
        const start = { ...drawn, accrualNumerator: 0n, accrued: 0n, dueDate: null };
        const { accrued, accrualNumerator } = accrueThrough(start, addDays(OPENED, count));
        const exact = start.outstanding * BigInt(start.annualRateBps) * BigInt(count);
        const divisor = 10_000n * BigInt(start.dayBasis);
        expect(accrualNumerator).toBe(exact);
        const twiceOff = 2n * (accrued * divisor - exact);
        expect(twiceOff <= divisor && twiceOff >= -divisor).toBe(true);
      }),
    );
  });

  test("a day twice, or a day before, accrues nothing and changes nothing", () => {
    const { days: _, ...accrued } = accrueThrough(credit, "2028-01-31");
    const later = { ...credit, ...accrued };
    for (const day of ["2028-01-31", "2028-01-30", OPENED]) {
      expect(accrueThrough(later, day)).toEqual({ days: [], ...accrued });
    }
  });

  test("stops with the due date, which still accrues, or goes on", () => {
    const until = accrueThrough(credit, "2028-11-17").accrued;
    expect(accrueThrough(credit, "2028-11-18").accrued).toBe(until);
    expect(accrueThrough(credit, "2028-11-18").accruedThrough).toBe("2028-11-18");
    expect(accrueThrough(credit, "2028-11-16").accrued).toBeLessThan(until);
    expect(accrueThrough({ ...credit, afterDue: "continue" }, "2028-11-18").accrued).toBeGreaterThan(until);
  });

  test("costs nothing when the principal is paid, the rate is zero or the credit is past its end", () => {
    for (const free of [{ outstanding: 0n }, { annualRateBps: 0 }, { dueDate: OPENED }, { dueDate: "2020-01-01" }]) {
      const { days, accrued, accruedThrough } = accrueThrough({ ...credit, ...free }, "2028-02-29");
      expect({ days, accrued, accruedThrough }).toEqual({ days: [], accrued: 0n, accruedThrough: "2028-02-29" });
    }
  });

  test("thousands of days reads the calendar once for each of them, and twice to count them", () => {
    const parse = vi.spyOn(Date, "parse");
    onTestFinished(() => parse.mockRestore());
    const last = addDays(OPENED, 4_000);
    parse.mockClear();
    expect(accrueThrough({ ...credit, dueDate: null }, last).days).toHaveLength(4_000);
    expect(parse).toHaveBeenCalledTimes(4_002);
  });
});
