import * as v from "valibot";
import { isMisleading } from "../../misleading-text.ts";
import { MoneyError, numberToAmountText, parseOwedAmount, parsePositiveAmount } from "../../money.ts";
import { parsePaymentReference } from "../../payment-reference.ts";

/** Most decimals of any currency that a deployment may use; a currency with fewer refuses the rest in its handler. */
const MOST_DECIMALS = 2;
const DETAILS_MAX_BYTES = 16_384;
const DETAILS_MAX_KEYS = 64;

/** A JSON object whose content is the caller's own; numbers too precise for a double stay as they were sent. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True if a value is a JSON object: no array, no null, no number that was kept as it was sent. */
export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !("rawJSON" in value && Object.isFrozen(value))
  );
}

function sizeOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

function moneyFault(text: string, parse = parsePositiveAmount): string | undefined {
  try {
    parse(text, MOST_DECIMALS);
    return undefined;
  } catch (error) {
    if (error instanceof MoneyError) return error.message;
    throw error;
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:?\d{2})?)?$/;

function isRealInstant(text: string): boolean {
  if (!ISO_INSTANT.test(text)) return false;
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split("-").map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return false;
  const [time = "", offset = ""] = text.slice(11).split(/[Zz]|(?=[+-])/);
  const [hour = 0, minute = 0, second = 0] = time.split(":").map(Number);
  const [offsetHour = 0, offsetMinute = 0] = (offset.match(/\d{2}/g) ?? []).map(Number);
  return hour <= 23 && minute <= 59 && second < 60 && offsetHour <= 23 && offsetMinute <= 59;
}

/** True for a year that every calendar computation and column can hold, also a day further. */
function isUsualYear(text: string): boolean {
  const year = Number(text.slice(0, 4));
  return year >= 1900 && year <= 2999;
}

/** True if a value holds the NUL character, in a name or a text; the six characters of its escape do not count. */
function holdsNul(value: unknown): boolean {
  return /(?<!\\)(?:\\\\)*\\u0000/.test(JSON.stringify(value));
}

/** A visible character: neither space, nor the blank of Braille, nor one that fonts draw nothing for. */
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Text of bounded length that says something, without NUL (which PostgreSQL cannot keep) and lone surrogates. */
/* @__NO_SIDE_EFFECTS__ */
export function text(maxLength: number, minLength = 1) {
  return v.pipe(
    v.string(),
    v.minLength(minLength, minLength === 1 ? "must not be empty" : `must have at least ${minLength} characters`),
    v.maxLength(maxLength, `must have at most ${maxLength} characters`),
    v.check((value) => value === "" || VISIBLE.test(value), "must not be blank"),
    v.check(
      (value) => !value.includes("\u0000") && value.isWellFormed(),
      "must be text without the NUL character and broken characters",
    ),
  );
}

/** A text of one line that people are shown, such as an order or a note. */
/* @__NO_SIDE_EFFECTS__ */
export function label(maxLength: number) {
  return v.pipe(
    text(maxLength),
    v.check(
      (value) => !isMisleading(value),
      "must not contain control characters, ones that nobody sees, or ones that turn the writing round",
    ),
  );
}

/** An identifier: a UUID (RFC 9562), version 7 when it is one of ours. */
export const Id = v.pipe(v.string(), v.regex(UUID, "must be an id, such as 01890a5d-ac96-774b-bcce-b302099a8057"));

/** An amount of money in currency units, as the JSON number of the wire; greater than zero. */
export const Amount = v.pipe(
  v.number(),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const fault = moneyFault(numberToAmountText(dataset.value));
    if (fault !== undefined) addIssue({ message: fault });
  }),
  v.metadata({ examples: [25000] }),
);

/**
 * An amount of money in a request, in currency units, as the decimal text that quota operations take; greater than
 * zero.
 */
export const AmountText = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const fault = moneyFault(dataset.value);
    if (fault !== undefined) addIssue({ message: fault });
  }),
  v.metadata({ examples: ["500000"] }),
);

/** A sum in a request that may be zero, such as a debt or a limit, as decimal text in currency units. */
export const OwedText = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    const fault = dataset.typed ? moneyFault(dataset.value, parseOwedAmount) : undefined;
    if (fault !== undefined) addIssue({ message: fault });
  }),
  v.metadata({ examples: ["350000"] }),
);

/** A ledger transfer's amount: whole currency units. */
export const WholeAmount = v.pipe(
  v.number(),
  v.integer("must be a whole number of currency units"),
  v.minValue(1, "must be greater than zero"),
  v.maxValue(9_999_999_999_999, "must be at most 9999999999999"),
);

/** A sum or balance in an answer, in currency units; may be zero. */
export const Sum = v.number();

/** A sum in the answer of a quota operation, as decimal text in currency units; zero or more. */
export const SumText = v.pipe(v.string(), v.metadata({ examples: ["120000.5"] }));

/** An ISO 8601 date or date-time of a request; without an offset it is in the business time zone. */
export const DateInput = v.pipe(
  v.string(),
  v.check(isRealInstant, "must be an ISO 8601 date or date-time, such as 2026-03-31 or 2026-03-31T14:05:00-05:00"),
  v.check((value) => !isRealInstant(value) || isUsualYear(value), "must be in the years 1900 to 2999"),
);

/** A calendar date of a request. */
export const DayInput = v.pipe(
  v.string(),
  v.check((value) => value.length === 10 && isRealInstant(value), "must be a date, such as 2026-03-31"),
  v.check((value) => !isRealInstant(value) || isUsualYear(value), "must be in the years 1900 to 2999"),
);

/** An instant in an answer: RFC 3339, UTC, milliseconds. */
export const Instant = v.pipe(v.string(), v.isoTimestamp("must be an RFC 3339 instant"));

/** The caller's own data: at most 16 KiB and 64 keys, returned with the same keys and values. */
export const Details = v.pipe(
  v.custom<JsonObject>(isJsonObject, "must be an object"),
  v.check((value) => Object.keys(value).length <= DETAILS_MAX_KEYS, "must have at most 64 keys"),
  v.check((value) => sizeOf(value) <= DETAILS_MAX_BYTES, "must be at most 16 KiB of JSON"),
  v.check((value) => !holdsNul(value), "must not contain the NUL character"),
);

/** A free object of at most 16 KiB, such as a user's payment data. */
export const FreeObject = v.pipe(
  v.custom<JsonObject>(isJsonObject, "must be an object"),
  v.check((value) => sizeOf(value) <= DETAILS_MAX_BYTES, "must be at most 16 KiB of JSON"),
  v.check((value) => !holdsNul(value), "must not contain the NUL character"),
);

/** A free object in an answer. */
export const AnswerObject = v.custom<JsonObject>(isJsonObject);

/**
 * A payment reference as people type it, which is checked but not normalized: hyphens, either case, I and L for 1, O
 * for 0.
 */
export const ReferenceInput = v.pipe(
  v.string(),
  v.check((value) => parsePaymentReference(value).ok, "is mistyped: check the reference and send its 13 characters"),
);

/**
 * The query fields of a list that has pages: `limit`, and an opaque `cursor` from the `Link` header of the page before.
 */
export const pageFields = {
  limit: v.optional(
    v.pipe(
      v.string(),
      v.check((value) => /^[1-9]\d{0,2}$/.test(value) && Number(value) <= 500, "must be a whole number from 1 to 500"),
    ),
  ),
  cursor: v.optional(text(512)),
};

/**
 * The query fields of a list that also gives what was created or changed since a `Sync-Token`: those of a page, and the
 * token in `changed-since`.
 */
export const syncFields = { ...pageFields, "changed-since": v.optional(text(512)) };

/** The error codes that the {@link syncFields} can cause, in order of precedence. */
export const syncErrors = ["invalid_sync_token", "sync_token_too_old", "invalid_cursor"] as const;
