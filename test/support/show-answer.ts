import { addDays, daysBetween } from "../../src/calendar-day.ts";
import { exampleThings } from "../../src/contract/shared/example-things.ts";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const REFERENCE = /\b[0-9A-HJKMNP-TV-Z]{13}\b/g;
const CLIENT_ID = /client_[A-Za-z0-9_-]{16}/g;
const SECRET_ID = /^[0-9a-f]{8}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
/** The length of a reference: a text of that length is no part of another by chance. */
const WORD_LENGTH = 13;
const NEAR_DAYS = 45;
const DAY_MS = 86_400_000;
const FULL_HOUR = ":00:00.000Z";
const SHOWN_IDS = new Set<string>(Object.values(exampleThings));

/** Members whose values are random, and what the documents show for them. */
const RANDOM: Readonly<Record<string, string>> = {
  apn_token: "apn_Vb2mQ0y8L1dJ5rT7wX9zC3fH6kN4pS8u",
  closed_through: "2026-02-28",
  check_code: "4821",
  client_secret: "cs_Vb2mQ0y8L1dJ5rT7wX9zC3fH6kN4pS8uA1eG5iM7oQ0",
  image: "data:image/png;base64,iVBORw0KGgo=",
  payload: "00020101021226330005co.qp0120shortened-to-be-read6304A1B2",
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  session: "ws_K7mPx2Qw9Rt4Vb6Nc8Zd1Fg3Hj5Ls0YuAeIoTqWrXzM",
  secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
};

/** Days from today at which an instant is shown: a full hour by the calendar, others by the time between. */
function daysFromToday(text: string, known: ReadonlyMap<string, string>): number {
  // A code that is made shortly before midnight expires tomorrow, and is shown as at any other hour.
  if (!text.endsWith(FULL_HOUR)) return Math.round((Date.parse(text) - Date.now()) / DAY_MS);
  const day = text.slice(0, 10);
  const [today = day] = [...known].find(([, example]) => example === exampleThings.today) ?? [];
  return daysBetween(today, day);
}

/** An instant as it would be on the examples' day: a full hour stays one, all others are five past two in Bogotá. */
function shownInstant(text: string, known: ReadonlyMap<string, string>): string {
  const days = daysFromToday(text, known);
  // A month that was named in the request is long ago, and stays what it is.
  if (Math.abs(days) > NEAR_DAYS) return text;
  const shown = addDays(exampleThings.today, days);
  return `${shown}T${text.endsWith(FULL_HOUR) ? text.slice(11) : "19:05:00.000Z"}`;
}

/**
 * An answer as the documents show it, the same on every run: known ids become those of the examples, other ids are
 * numbered, days and instants move to the examples' day, and what is random gets one value.
 */
export function showAnswer(answer: unknown, known: ReadonlyMap<string, string>): unknown {
  const numbered = new Map<string, string>();
  const numberOf = (id: string): string => {
    if (SHOWN_IDS.has(id)) return id;
    const number = String(numbered.size + 1).padStart(3, "0");
    if (!numbered.has(id)) numbered.set(id, `01990c1e-5b2a-7d10-8a41-6f2b9c3d1${number}`);
    return numbered.get(id) ?? id;
  };
  const shownText = (text: string): string => {
    if (INSTANT.test(text)) return shownInstant(text, known);
    const whole = known.get(text);
    if (whole !== undefined) return whole;
    let shown = text;
    // A shorter one, such as a nit, may be a part of something else.
    for (const [real, example] of known) if (real.length >= WORD_LENGTH) shown = shown.replaceAll(real, example);
    return shown
      .replace(UUID, numberOf)
      .replace(REFERENCE, (found) => (SHOWN_IDS.has(found) ? found : exampleThings.paymentReference))
      .replace(CLIENT_ID, exampleThings.apiClient);
  };
  return JSON.parse(JSON.stringify(answer), (key, value: unknown) => {
    if (key === "expires_in" && typeof value === "number") return Math.ceil(value / 60) * 60;
    if (typeof value !== "string") return value;
    if (key === "id" && SECRET_ID.test(value)) return exampleThings.apiClientSecret;
    return value !== "" && Object.hasOwn(RANDOM, key) ? RANDOM[key] : shownText(value);
  });
}
