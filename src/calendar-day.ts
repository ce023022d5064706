const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Days since 1970-01-01; throws `RangeError` for a text that is no day of the Gregorian calendar. */
function dayNumber(day: string): number {
  const number = DAY.test(day) ? Date.parse(`${day}T00:00:00Z`) / DAY_MS : Number.NaN;
  // The round trip refuses days that Date.parse accepts leniently, such as 30 February.
  if (Number.isNaN(number) || dayOfNumber(number) !== day) throw new RangeError("is not a calendar day");
  return number;
}

function dayOfNumber(number: number): string {
  const date = new Date(number * DAY_MS);
  if (Number.isNaN(date.getTime())) throw new RangeError("is beyond the calendar");
  const text = date.toISOString();
  if (text.length !== "2026-01-01T00:00:00.000Z".length) throw new RangeError("is outside the years 0000 to 9999");
  return text.slice(0, 10);
}

/** The calendar day (`YYYY-MM-DD`) that comes `days` after another; a day has no time zone here. */
export function addDays(day: string, days: number): string {
  return dayOfNumber(dayNumber(day) + days);
}

/** How many days `to` comes after `from`; negative when it comes before. Both are `YYYY-MM-DD`. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from);
}
