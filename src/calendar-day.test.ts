import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDays, daysBetween } from "./calendar-day.ts";

const FIRST_YEAR = 1900;
const LAST_YEAR = 2999;

/** Every day of the years, from nothing but the lengths of months and the Gregorian rule of leap years. */
function everyDay(): string[] {
  const days: string[] = [];
  for (let year = FIRST_YEAR; year <= LAST_YEAR; year += 1) {
    const isLeap = year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0);
    const lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    for (const [month, length] of lengths.entries()) {
      for (let day = 1; day <= length; day += 1) {
        days.push(`${year}-${String(month + 1).padStart(2, "0")}-${String(day).padStart(2, "0")}`);
      }
    }
  }
  return days;
}

const days = everyDay();
const anIndex = fc.nat(days.length - 1);

describe("a calendar day", () => {
  test("is followed by the next one, from 1900 to 2999, leap years included", () => {
    let today = `${FIRST_YEAR}-01-01`;
    const walked = days.map(() => {
      const day = today;
      today = addDays(day, 1);
      return day;
    });
    expect(walked.findIndex((day, index) => day !== days[index])).toBe(-1);
    expect(today).toBe("3000-01-01");
  });

  test("lies as far from another as there are days in between, in both directions", () => {
    fc.assert(
      fc.property(anIndex, anIndex, (from, to) => {
        const [start = "", end = ""] = [days[from], days[to]];
        expect(daysBetween(start, end)).toBe(to - from);
        expect(addDays(start, to - from)).toBe(end);
      }),
    );
  });

  test.each([
    ["2024-02-28", 1, "2024-02-29"],
    ["2023-02-28", 1, "2023-03-01"],
    ["1900-02-28", 1, "1900-03-01"],
    ["2000-02-28", 1, "2000-02-29"],
    ["2024-01-01", 366, "2025-01-01"],
    ["2026-01-01", -1, "2025-12-31"],
    ["2026-01-31", 0, "2026-01-31"],
  ])("%s and %i days are %s", (day, count, result) => {
    expect(addDays(day, count)).toBe(result);
    expect(daysBetween(day, result)).toBe(count);
  });

  test.each(["2026-02-29", "2026-02-30", "2026-13-01", "2026-1-1", "2026-01-01T00:00:00Z", "tomorrow", ""])(
    "is not %j",
    (text) => {
      expect(() => addDays(text, 1)).toThrow(RangeError);
      expect(() => daysBetween("2026-01-01", text)).toThrow(RangeError);
    },
  );

  test("does not lie beyond the year 9999", () => {
    expect(() => addDays("9999-12-31", 1)).toThrow(RangeError);
    expect(() => addDays("2026-01-01", 1e12)).toThrow(RangeError);
  });
});
