import { describe, expect, test } from "vitest";
import { words } from "../../src/language/es/app/start.ts";
import { dayKey, formatDay, formatMonth, formatRemaining, formatWhen } from "./when-format.ts";

function local(year: number, month: number, day: number, hour: number, minute: number): Date {
  return new Date(year, month - 1, day, hour, minute);
}

const now = local(2026, 3, 31, 0, 5).getTime();

describe("days and times on the screen", () => {
  test("five past midnight, a payment of ten minutes before is of yesterday", () => {
    expect(formatWhen(local(2026, 3, 30, 23, 55).toISOString(), now, words)).toBe("ayer, 23:55");
    expect(formatWhen(local(2026, 3, 31, 0, 1).toISOString(), now, words)).toBe("hoy, 00:01");
  });

  test("older days are written in full, with the year only where it is another one", () => {
    expect(formatDay(local(2026, 3, 2, 9, 0).toISOString(), now, words)).toBe("lunes, 2 de marzo");
    expect(formatDay(local(2025, 12, 31, 9, 0).toISOString(), now, words)).toContain("2025");
  });

  test("a list is grouped by the person's own day", () => {
    expect(dayKey(local(2026, 3, 30, 23, 59).toISOString())).toBe("2026-03-30");
    expect(dayKey(local(2026, 3, 31, 0, 0).toISOString())).toBe("2026-03-31");
  });

  test("a month is named whole, also where its year begins", () => {
    expect([formatMonth("2026-03", words), formatMonth("2026-01", words)]).toEqual(["marzo de 2026", "enero de 2026"]);
  });

  test("a countdown ends at zero and stays there", () => {
    expect(formatRemaining(108)).toBe("1:48");
    expect(formatRemaining(59.2)).toBe("1:00");
    expect(formatRemaining(-3)).toBe("0:00");
  });
});
