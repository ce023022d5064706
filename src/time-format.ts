/** An instant: Unix milliseconds, or what a `Date` is made of. */
type Instant = Date | number | string;

const DAY_MS = 86_400_000;

const SHORT_DAY = { weekday: "short", day: "numeric", month: "short" } as const;

/** Writes parts of an instant in a locale, in the device's time zone unless the parts name another one. */
export type Format = (instant: Instant, locale: string, parts: Intl.DateTimeFormatOptions) => string;

let format: Format = (instant, locale, parts) => new Date(instant).toLocaleString(locale, parts);

/** Sets the way in which all functions here write instants from now on. */
export function formatWith(other: Format): void {
  format = other;
}

/**
 * Returns the start of an instant's day in the device's time zone, as Unix milliseconds. A list of days takes it for
 * its current time: it changes once a day, and the list is not rendered anew more often.
 */
export function startOfDay(instant: Instant): number {
  return new Date(instant).setHours(0, 0, 0, 0);
}

/**
 * Formats the time of day of an instant as the locale does, without seconds: `6:12 a. m.` in Colombia, `06:12` in
 * Brazil; in the device's time zone unless another one is given. It has no space at which a line could break: engines
 * differ in the ones that they write.
 */
export function formatTime(instant: Instant, locale: string, timeZone?: string): string {
  return format(instant, locale, { timeStyle: "short", timeZone }).replace(/\s/g, "\u00a0");
}

/**
 * Formats the day of an instant by what `now` is: yesterday, today and tomorrow by name, others short, with the year
 * where it is another one: `sáb, 21 de nov`.
 */
export function formatDay(instant: Instant, locale: string, now: Instant): string {
  const days = Math.round((startOfDay(instant) - startOfDay(now)) / DAY_MS);
  if (Math.abs(days) < 2) return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(days, "day");
  const isSameYear = new Date(instant).getFullYear() === new Date(now).getFullYear();
  return format(instant, locale, isSameYear ? SHORT_DAY : { ...SHORT_DAY, year: "numeric" });
}

/** Formats day and time of an instant as people say them, the day as {@link formatDay}: `ayer, 6:12 a. m.`. */
export function formatWhen(instant: Instant, locale: string, now: Instant): string {
  return `${formatDay(instant, locale, now)}, ${formatTime(instant, locale)}`;
}

/** Formats an instant for a receipt, the same on every day that it is read: `sáb, 21 nov 2026, 6:12 a. m.`. */
export function formatExactly(instant: Instant, locale: string, timeZone?: string): string {
  const day = format(instant, locale, { ...SHORT_DAY, year: "numeric", timeZone });
  return `${day}, ${formatTime(instant, locale, timeZone)}`;
}

/** Formats a month by its name and year, from its key: `2026-03` is `marzo de 2026`. */
export function formatMonth(month: string, locale: string): string {
  return format(`${month}-15`, locale, { month: "long", year: "numeric", timeZone: "UTC" });
}

/** Formats the whole seconds left of a countdown: `14:32`, or `1:02:03` where there are hours. */
export function formatCountdown(seconds: number): string {
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60];
  const whole = parts.map((part) => String(Math.floor(part)).padStart(2, "0")).join(":");
  return whole.replace(/^0(0:0?)?/, "");
}
