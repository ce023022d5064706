import type { Words } from "../language/words.ts";

const DAY_MS = 86_400_000;

/**
 * Returns the start of an instant's day in the device's time zone, as Unix milliseconds. A list of days takes it for
 * its current time: it changes once a day, and the list is not rendered anew more often.
 */
export function startOfDay(instantMs: number): number {
  return new Date(instantMs).setHours(0, 0, 0, 0);
}

/** Returns the calendar day of an instant in the device's time zone, as a key that groups a list: `2026-03-31`. */
export function dayKey(instant: string): string {
  const date = new Date(instant);
  const pad = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** Cached, because creating a format costs more than a hundred uses of it, and a long list has as many days. */
const formats = new Map<string, Intl.DateTimeFormat>();

function format(instantMs: number, tag: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${tag} ${JSON.stringify(options)}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(tag, options);
  formats.set(key, known);
  return known.format(instantMs);
}

/**
 * Formats the day of an instant: today and yesterday by name, others in full, with the year where it is not this year.
 */
export function formatDay(instant: string, nowMs: number, words: Words): string {
  const then = Date.parse(instant);
  const days = Math.round((startOfDay(nowMs) - startOfDay(then)) / DAY_MS);
  if (days === 0) return words.common.today;
  if (days === 1) return words.common.yesterday;
  const sameYear = new Date(then).getFullYear() === new Date(nowMs).getFullYear();
  const year = sameYear ? {} : ({ year: "numeric" } as const);
  return format(then, words.tag, { weekday: "long", day: "numeric", month: "long", ...year });
}

/** Formats a month by its name and year, from its key: `2026-03` is `marzo de 2026`. */
export function formatMonth(month: string, words: Words): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return format(new Date(year, number - 1, 1).getTime(), words.tag, { month: "long", year: "numeric" });
}

/** Formats the time of day of an instant in the device's time zone, on a 24-hour clock: `14:32`. */
export function formatTime(instant: string, words: Words): string {
  return format(Date.parse(instant), words.tag, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

/** Formats day and time of an instant as people say them: `hoy, 14:32`. */
export function formatWhen(instant: string, nowMs: number, words: Words): string {
  return `${formatDay(instant, nowMs, words)}, ${formatTime(instant, words)}`;
}

/** Formats an instant exactly: the date in full, and the time with seconds. */
export function formatExactly(instant: string, words: Words): string {
  return format(Date.parse(instant), words.tag, { dateStyle: "long", timeStyle: "medium", hourCycle: "h23" });
}

/** Formats the seconds left of a countdown as minutes and seconds: `1:48`; never below zero. */
export function formatRemaining(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}
