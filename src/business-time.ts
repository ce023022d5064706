import { addDays } from "./calendar-day.ts";

/** Days and local times of a deployment's business time zone (IANA name, such as `America/Bogota`). */
export interface BusinessTime {
  /** The business day of an instant, `YYYY-MM-DD`. */
  dayOf(instant: Date): string;
  /** The instant at which a business day starts. */
  startOf(day: string): Date;
  /** The business day `days` after another. */
  addDays(day: string, days: number): string;
  /** Reads an ISO 8601 date or date-time; without an offset it is local time, and a bare date its first instant. */
  parse(text: string): Date;
}

const DAY_MS = 86_400_000;
const LOCAL = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?$/;

/** Milliseconds that local wall time is ahead of UTC at an instant. */
type OffsetAt = (instantMs: number) => number;

const MINUTE_MS = 60_000;
/** Since then every time zone has changed its offset at whole minutes only. */
const WHOLE_MINUTES_SINCE_MS = Date.UTC(1980, 0, 1);
const MOST_KEPT = 1_000;

/** Makes the function that returns a time zone's offset; it keeps those of the minutes that were asked for. */
function offsetsOf(format: Intl.DateTimeFormat): OffsetAt {
  const kept = new Map<number, number>();
  return (instantMs) => {
    if (!(instantMs >= WHOLE_MINUTES_SINCE_MS)) return calculatedOffset(format, instantMs);
    const minute = Math.floor(instantMs / MINUTE_MS);
    const known = kept.get(minute);
    if (known !== undefined) return known;
    const offset = calculatedOffset(format, instantMs);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(minute, offset);
    return offset;
  };
}

function calculatedOffset(format: Intl.DateTimeFormat, instantMs: number): number {
  const parts = Object.fromEntries(format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour % 24, minute, second) - Math.floor(instantMs / 1000) * 1000;
}

/** The instant of a wall time; the earlier of two; for one that the clocks skip, by the offset before the change. */
function instantOf(offsetAt: OffsetAt, wallMs: number): number {
  const before = wallMs - offsetAt(wallMs - DAY_MS);
  const after = wallMs - offsetAt(wallMs + DAY_MS);
  const isWall = (instantMs: number): boolean => instantMs + offsetAt(instantMs) === wallMs;
  return !isWall(before) && isWall(after) ? after : before;
}

/** Makes the calendar of a time zone; throws `RangeError` when there is no such zone. */
export function businessTime(timeZone: string): BusinessTime {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const offsetAt = offsetsOf(format);
  const wallTime = (text: string): number => {
    const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = ""] = LOCAL.exec(text) ?? [];
    const millisecond = Number(fraction.slice(0, 3).padEnd(3, "0"));
    return Date.UTC(
      Number(year),
      Number(month) - 1,
      Number(day),
      Number(hour),
      Number(minute),
      Number(second),
      millisecond,
    );
  };
  return Object.freeze({
    dayOf: (instant: Date) => {
      const ms = instant.getTime();
      return new Date(ms + offsetAt(ms)).toISOString().slice(0, 10);
    },
    startOf: (day: string) => new Date(instantOf(offsetAt, wallTime(day))),
    addDays,
    parse: (text: string) => {
      if (LOCAL.test(text)) return new Date(instantOf(offsetAt, wallTime(text)));
      return new Date(
        text
          .replace(" ", "T")
          .replace(/([+-]\d{2})(\d{2})$/, "$1:$2")
          .toUpperCase(),
      );
    },
  });
}
