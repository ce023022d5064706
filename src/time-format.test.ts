import { describe, expect, it, test } from "vitest";
import { languages } from "./language/languages.ts";
import { formatCountdown, formatDay, formatExactly, formatMonth, formatTime, formatWhen } from "./time-format.ts";

/** By the machine's own time zone, as on a page. */
const at = (month: number, day: number, hour = 9, minute = 5): Date => new Date(2026, month - 1, day, hour, minute, 59);

/** Versions of ICU differ in whether the month of Spanish has an article. */
test.each([
  ["es-CO", "6:12\u00a0a.\u00a0m.", "hoy", "ayer", "mañana", /^sáb, 21 (de )?nov$/, /^sáb, 21 (de )?nov (de )?2026, /],
  ["en-GB", "06:12", "today", "yesterday", "tomorrow", /^Sat,? 21 Nov$/, /^Sat,? 21 Nov 2026, /],
  ["en", "6:12\u00a0AM", "today", "yesterday", "tomorrow", /^Sat, Nov 21$/, /^Sat, Nov 21, 2026, /],
  ["pt-BR", "06:12", "hoje", "ontem", "amanhã", /^sáb\., 21 de nov\.$/, /^sáb\., 21 de nov\. de 2026, /],
])("in %s days are short and times have no seconds", (locale, time, today, yesterday, tomorrow, short, complete) => {
  const moment = at(11, 21, 6, 12);
  expect(formatTime(moment, locale)).toBe(time);
  expect(formatDay(moment, locale, at(11, 21, 23, 59))).toBe(today);
  expect(formatDay(moment, locale, at(11, 22, 0, 1))).toBe(yesterday);
  expect(formatDay(moment, locale, at(11, 20, 23, 59))).toBe(tomorrow);
  expect(formatDay(moment, locale, at(11, 23))).toMatch(short);
  expect(formatExactly(moment, locale)).toMatch(complete);
  expect(formatExactly(moment, locale).endsWith(`, ${time}`)).toBe(true);
  expect(formatWhen(moment, locale, at(11, 22))).toBe(`${yesterday}, ${time}`);
});

test.each(Object.values(languages))("no text of %s has seconds or a space that only some engines write", (locale) => {
  for (const text of [formatTime(at(3, 2), locale), formatExactly(at(3, 2), locale), formatMonth("2026-03", locale)]) {
    expect(text).not.toMatch(/\u202f|:59/);
  }
});

describe("days", () => {
  it("five past midnight, a payment of ten minutes before is of yesterday", () => {
    const now = at(3, 31, 0, 5);
    expect(formatDay(at(3, 30, 23, 55), "es-CO", now)).toBe("ayer");
    expect(formatDay(at(3, 31, 0, 1), "es-CO", now)).toBe("hoy");
  });

  it("have their year where it is another one", () => {
    expect(formatDay(new Date(2025, 11, 31), "es-CO", at(3, 2))).toContain("2025");
    expect(formatDay(at(1, 2), "es-CO", at(3, 2))).not.toContain("2026");
  });

  it("are those of a time zone, where one is given", () => {
    expect(formatExactly("2026-03-31T04:59:00Z", "en", "America/Bogota")).toBe("Mon, Mar 30, 2026, 11:59\u00a0PM");
  });

  it("do not throw for what is no time, as in a placeholder", () => {
    expect(() => formatExactly("", "es-CO")).not.toThrow();
  });
});

test("a month is named whole, also where its year begins", () => {
  expect([formatMonth("2026-03", "es-CO"), formatMonth("2026-01", "es-CO")]).toEqual([
    "marzo de 2026",
    "enero de 2026",
  ]);
});

test.each([
  [86_400, "24:00:00"],
  [36_000, "10:00:00"],
  [3_723, "1:02:03"],
  [872, "14:32"],
  [307, "5:07"],
  [60, "1:00"],
  [9, "0:09"],
  [0, "0:00"],
])("%d seconds are shown as %s", (seconds, shown) => {
  expect(formatCountdown(seconds)).toBe(shown);
});
