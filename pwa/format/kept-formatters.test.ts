import { afterEach, describe, expect, it, vi } from "vitest";
import { languages } from "../../src/language/languages.ts";
import { type Format, formatExactly, formatMonth, formatWhen, formatWith } from "../../src/time-format.ts";
import { formatByKept } from "./kept-formatters.ts";

const withoutKeeping: Format = (instant, locale, parts) => new Date(instant).toLocaleString(locale, parts);

const zone = process.env.TZ;

afterEach(() => {
  formatWith(withoutKeeping);
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

/** Instants in and out of summer time, one of them in the hour that New York has twice. */
const INSTANTS = ["2026-01-15T04:30:00Z", "2026-07-15T04:30:00Z", "2026-11-01T06:30:00Z"];

function textsIn(timeZone: string): readonly string[] {
  process.env.TZ = timeZone;
  return Object.values(languages).flatMap((locale) => [
    formatMonth("2026-03", locale),
    ...INSTANTS.flatMap((instant) => [
      formatExactly(instant, locale),
      formatExactly(instant, locale, "Asia/Tokyo"),
      formatWhen(instant, locale, "2027-01-01T12:00:00Z"),
    ]),
  ]);
}

describe("formatters that are kept", () => {
  it("write the same texts, and follow the device's time zone where it changes", () => {
    const zones = ["America/Bogota", "America/New_York", "Asia/Kolkata", "America/Bogota"];
    const expected = zones.map(textsIn);
    formatWith(formatByKept);
    expect(zones.map(textsIn)).toEqual(expected);
    expect(new Set(expected.map(String)).size).toBe(3);
  });

  it("are two for the times of a list", () => {
    formatWith(formatByKept);
    const made = vi.spyOn(Intl, "DateTimeFormat");
    for (let hour = 0; hour < 2_000; hour += 1) formatExactly(new Date(2026, 2, 2, hour), "es-MX");
    expect(made).toHaveBeenCalledTimes(2);
    made.mockRestore();
  });

  it("do not throw for what is no time", () => {
    formatWith(formatByKept);
    expect(formatExactly("", "es-CO")).toContain("Invalid Date");
  });
});
