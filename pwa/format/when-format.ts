import type { Words } from "../language/words.ts";

const DAY_MS = 86_400_000;

function startOfDay(instantMs: number): number {
  return new Date(instantMs).setHours(0, 0, 0, 0);
}

/** The person's own calendar day of an instant, as a key that groups a list: `2026-03-31`. */
export function dayKey(instant: string): string {
  const date = new Date(instant);
  const pad = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** The heading of a day: today and yesterday by name, others in full, with the year where it is another one. */
export function formatDay(instant: string, nowMs: number, words: Words): string {
  const then = Date.parse(instant);
  const days = Math.round((startOfDay(nowMs) - startOfDay(then)) / DAY_MS);
  if (days === 0) return words.common.today;
  if (days === 1) return words.common.yesterday;
  const sameYear = new Date(then).getFullYear() === new Date(nowMs).getFullYear();
  return new Intl.DateTimeFormat(words.tag, {
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(sameYear ? {} : { year: "numeric" }),
  }).format(then);
}

/** The time of day: `14:32`. */
export function formatTime(instant: string, words: Words): string {
  return new Intl.DateTimeFormat(words.tag, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(
    Date.parse(instant),
  );
}

/** Day and time as people say them: `hoy, 14:32`. */
export function formatWhen(instant: string, nowMs: number, words: Words): string {
  return `${formatDay(instant, nowMs, words)}, ${formatTime(instant, words)}`;
}

/** The exact instant, for those who ask: date, and time with seconds. */
export function formatExactly(instant: string, words: Words): string {
  return new Intl.DateTimeFormat(words.tag, {
    dateStyle: "long",
    timeStyle: "medium",
    hourCycle: "h23",
  }).format(Date.parse(instant));
}

/** A countdown as minutes and seconds: `1:48`; never below zero. */
export function formatRemaining(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}
