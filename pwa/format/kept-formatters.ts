import type { Format } from "../../src/time-format.ts";

const MINUTE_MS = 60_000;

const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * Writes parts of an instant with formatters that are made once, for lists: making one takes twenty times as long as
 * using it. In place of the device's time zone, which may change while the app runs, a formatter has UTC, and formats
 * a shifted instant.
 */
export const formatByKept: Format = (instant, locale, parts) => {
  const { timeZone } = parts;
  const key = JSON.stringify([locale, parts]);
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, { ...parts, timeZone: timeZone ?? "UTC" });
  formatters.set(key, formatter);
  const date = new Date(instant);
  const shift = timeZone === undefined ? date.getTimezoneOffset() * MINUTE_MS : 0;
  return Number.isNaN(date.getTime()) ? String(date) : formatter.format(date.getTime() - shift);
};
