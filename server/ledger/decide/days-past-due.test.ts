import { describe, expect, test } from "vitest";
import { DEFAULT_TERMS } from "../model/credit-commands.ts";
import { bucketOf, buckets, daysOf, daysPastDue, type StatusThresholds, suggestedStatus } from "./days-past-due.ts";

const owed = { dueDate: "2026-03-10", outstanding: 100n, unpaidInterest: 0n };

describe("days past due", () => {
  test.each([
    ["2026-03-09", 0],
    ["2026-03-10", 0],
    ["2026-03-11", 1],
    ["2026-04-09", 30],
    ["2027-03-10", 365],
  ])("at the end of %s are %i for what was due on 10 March 2026", (day, days) => {
    expect(daysPastDue(owed, day)).toBe(days);
  });

  test("are counted through a leap day", () => {
    expect(daysPastDue({ ...owed, dueDate: "2028-02-28" }, "2028-03-01")).toBe(2);
  });

  test("are none when nothing is unpaid, and counted for interest alone", () => {
    expect(daysPastDue({ ...owed, outstanding: 0n }, "2026-12-31")).toBe(0);
    expect(daysPastDue({ ...owed, outstanding: 0n, unpaidInterest: 1n }, "2026-03-11")).toBe(1);
  });

  test("are none without a due date", () => {
    expect(daysPastDue({ ...owed, dueDate: null }, "2999-12-31")).toBe(0);
  });
});

describe("the buckets", () => {
  test.each([
    [0, "current"],
    [1, "1-30"],
    [30, "1-30"],
    [31, "31-60"],
    [60, "31-60"],
    [61, "61-90"],
    [90, "61-90"],
    [91, "91-180"],
    [180, "91-180"],
    [181, "181-360"],
    [360, "181-360"],
    [361, "over-360"],
    [100_000, "over-360"],
  ])("put %i days into %s", (days, bucket) => {
    expect(bucketOf(days)).toBe(bucket);
  });

  test("say which days they hold", () => {
    expect(daysOf("current")).toEqual({ first: 0, last: 0 });
    for (const bucket of buckets) {
      const { first, last } = daysOf(bucket);
      expect([first, last ?? 1_000].map(bucketOf)).toEqual([bucket, bucket]);
      expect(bucketOf((last ?? 1_000) + 1) === bucket).toBe(last === undefined);
    }
  });

  test("are listed from the least late to the latest", () => {
    expect(buckets).toEqual(["current", "1-30", "31-60", "61-90", "91-180", "181-360", "over-360"]);
  });
});

describe("the suggested status", () => {
  const late = (days: number, thresholds: StatusThresholds = DEFAULT_TERMS) => ({ ...thresholds, daysPastDue: days });

  test.each([
    [0, "active"],
    [1, "arrear"],
    [90, "arrear"],
    [91, "default"],
  ])("of a credit %i days late is %s by default", (days, status) => {
    expect(suggestedStatus([late(days)])).toBe(status);
  });

  test("follows the credit's own thresholds", () => {
    const patient = { arrearAfter: 5, defaultAfter: 30 };
    expect([5, 6, 30, 31].map((days) => suggestedStatus([late(days, patient)]))).toEqual([
      "active",
      "arrear",
      "arrear",
      "default",
    ]);
    expect(suggestedStatus([late(1, { arrearAfter: 0, defaultAfter: 0 })])).toBe("default");
  });

  test("is that of the worst credit, not of the latest one", () => {
    const patient = { arrearAfter: 100, defaultAfter: 200 };
    expect(suggestedStatus([late(0), late(91), late(12)])).toBe("default");
    expect(suggestedStatus([late(99, patient), late(2)])).toBe("arrear");
    expect(suggestedStatus([late(0), late(0)])).toBe("active");
  });

  test("is active without credits", () => {
    expect(suggestedStatus([])).toBe("active");
  });
});
