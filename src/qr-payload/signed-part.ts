import { formatAmount, parseAmount } from "../money.ts";
import { parsePaymentReference } from "../payment-reference.ts";
import { base64UrlToUuid, uuidToBase64Url } from "./base64url.ts";
import { currencyDigits, type QrCurrency } from "./currency.ts";
import { isEmvTemplate, readEmvDataObjects, writeEmvDataObject as write } from "./emv-data-objects.ts";

/** A Cupo code's content. With amount, reference and expiry it is dynamic and single-use; without all three, static. */
export interface QrPayloadFields {
  /** The scheme GUID of this deployment, at most 5 characters. */
  guid: string;
  /** The payee's user id, a UUID. */
  payeeId: string;
  /** The payee's business name, else name, in 1 to 25 printable ASCII characters. */
  payee: string;
  /** The payee's NIT, at most 20 letters, digits, dots and hyphens; absent where the code's maker may not know it. */
  payeeNit?: string;
  /** The payee's city, in 1 to 15 printable ASCII characters. */
  city: string;
  /** ISO 18245 merchant category, four digits; absent only from codes of version 0.1, which have `0000` there. */
  merchantCategory?: string;
  currency: QrCurrency;
  amountMinor?: bigint;
  /** The bare payment reference of 13 characters. */
  reference?: string;
  /** Unix time in seconds. */
  expiresAt?: number;
  /** The id of the signing key, at most 4 characters. */
  keyId: string;
  /** The terminal that shows the code, at most 8 characters. */
  terminal?: string;
  purpose: QrPurpose;
}

/** The purpose of the payment, as field 62-08 has it. */
export type QrPurpose = "purchase" | "recharge";

/** The faults in the fields of a code whose structure is sound. */
export type QrFieldFault = "field_missing" | "field_invalid" | "not_canonical";

/** The fields of the signed part, or the first fault and its position. */
export type SignedPartReading =
  | { ok: true; fields: QrPayloadFields }
  | { ok: false; fault: QrFieldFault; position: number; path: string };

/**
 * Returns the largest amount, in minor units, that field 54 can hold in a currency with that many decimals: its text
 * has at most 13 characters, a decimal point included.
 */
export function maxQrAmountMinor(digits: number): bigint {
  return 10n ** (digits === 0 ? 13n : 12n) - 1n;
}

/** The category in codes of version 0.1, which is none of ISO 18245. */
export const NO_CATEGORY = "0000";
const COUNTRY = "CO";
const PURPOSE_CODES = { purchase: "00", recharge: "06" } as const satisfies Record<QrPurpose, string>;

const TEXT = "[\\x21-\\x7e](?:[\\x20-\\x7e]{0,MAX}[\\x21-\\x7e])?";
const SHAPES: Readonly<Record<string, RegExp>> = {
  "00": /^01$/,
  "01": /^1[12]$/,
  "26-00": /^[\x21-\x7e]{1,5}$/,
  "26-01": /^[\w-]{22}$/,
  "26-02": /^[1-9a-z][0-9a-z]{0,6}$/,
  "26-03": /^[\w-]{1,4}$/,
  "52": /^[0-9]{4}$/,
  "53": /^[0-9]{3}$/,
  "54": /^(?:0|[1-9][0-9]{0,12})(?:\.[0-9]+)?$/,
  "58": new RegExp(`^${COUNTRY}$`),
  "59": new RegExp(`^${TEXT.replace("MAX", "23")}$`),
  "60": new RegExp(`^${TEXT.replace("MAX", "13")}$`),
  "62-05": /^[0-9A-Z]{13}$/,
  "62-07": /^[\x21-\x7e]{1,8}$/,
  "62-08": /^0[06]$/,
  "62-10": /^[0-9A-Za-z.-]{1,20}$/,
};
const OPTIONAL: ReadonlySet<string> = new Set(["26-02", "54", "62-05", "62-07", "62-10"]);

/** Writes all of a payload before its signature: the bytes that the signature covers. One meaning has one text. */
export function writeSignedPart(fields: QrPayloadFields): string {
  const { guid, amountMinor, currency, expiresAt, payeeNit, reference, terminal } = fields;
  const account = [
    write("00", guid),
    write("01", uuidToBase64Url(fields.payeeId) ?? "?"),
    expiresAt === undefined ? "" : write("02", expiresAt.toString(36)),
    write("03", fields.keyId),
  ];
  const additional = [
    reference === undefined ? "" : write("05", reference),
    terminal === undefined ? "" : write("07", terminal),
    write("08", PURPOSE_CODES[fields.purpose]),
    payeeNit === undefined ? "" : write("10", payeeNit),
  ];
  return [
    write("00", "01"),
    write("01", amountMinor === undefined ? "11" : "12"),
    write("26", account.join("")),
    write("52", fields.merchantCategory ?? NO_CATEGORY),
    write("53", currency.numeric),
    amountMinor === undefined ? "" : write("54", formatAmount(amountMinor, currency.digits)),
    write("58", COUNTRY),
    write("59", fields.payee),
    write("60", fields.city),
    write("62", additional.join("")),
  ].join("");
}

/** Reads the signed part back. Accepts only what {@link writeSignedPart} writes, character by character. */
export function readSignedPart(text: string): SignedPartReading {
  const values = flatten(text);
  for (const [path, shape] of Object.entries(SHAPES)) {
    const found = values.get(path);
    if (found === undefined && OPTIONAL.has(path)) continue;
    if (found === undefined) return { ok: false, fault: "field_missing", position: text.length, path };
    if (!shape.test(found.value)) return { ok: false, fault: "field_invalid", position: found.position, path };
  }
  const valueAt = (path: string): string | undefined => values.get(path)?.value;
  const wrong = firstWrongMeaning(valueAt);
  if (wrong !== undefined) {
    return { ok: false, fault: "field_invalid", position: values.get(wrong)?.position ?? text.length, path: wrong };
  }
  const fields = fieldsOf(valueAt);
  const position = firstDifference(text, writeSignedPart(fields));
  if (position !== undefined) return { ok: false, fault: "not_canonical", position, path: "" };
  return { ok: true, fields };
}

/** Returns the index at which two texts first differ; undefined when they are the same. */
export function firstDifference(left: string, right: string): number | undefined {
  if (left === right) return undefined;
  let index = 0;
  while (index < left.length && left[index] === right[index]) index++;
  return index;
}

function flatten(text: string): Map<string, { value: string; position: number }> {
  const characters = [...text];
  const values = new Map<string, { value: string; position: number }>();
  const root = readEmvDataObjects(characters, 0, characters.length);
  for (const object of root.ok ? root.objects : []) {
    values.set(object.id, { value: object.value, position: object.valuePosition });
    if (!isEmvTemplate(object.id)) continue;
    const inner = readEmvDataObjects(characters, object.valuePosition, object.valuePosition + object.value.length);
    for (const { id, value, valuePosition } of inner.ok ? inner.objects : []) {
      values.set(`${object.id}-${id}`, { value, position: valuePosition });
    }
  }
  return values;
}

type ValueAt = (path: string) => string | undefined;

/** The path of the first value whose shape is right and whose meaning is not. */
function firstWrongMeaning(valueAt: ValueAt): string | undefined {
  const [amount, reference, expiry] = [valueAt("54"), valueAt("62-05"), valueAt("26-02")];
  const digits = currencyDigits(valueAt("53") ?? "");
  if (digits === undefined) return "53";
  if (base64UrlToUuid(valueAt("26-01") ?? "") === undefined) return "26-01";
  if (reference !== undefined && !parsePaymentReference(reference).ok) return "62-05";
  if ((amount === undefined) !== (reference === undefined)) return "62-05";
  if ((amount === undefined) !== (expiry === undefined)) return "26-02";
  if (amount !== undefined && !isQrAmount(amount, digits)) return "54";
  return undefined;
}

function isQrAmount(amount: string, digits: number): boolean {
  const decimals = amount.split(".")[1] ?? "";
  if (amount.length > 13 || decimals.length > digits) return false;
  const minor = parseAmount(amount, digits);
  return minor > 0n && minor <= maxQrAmountMinor(digits);
}

function fieldsOf(valueAt: ValueAt): QrPayloadFields {
  const required = (path: string): string => valueAt(path) ?? "";
  const [amount, reference, expiry, terminal, payeeNit] = ["54", "62-05", "26-02", "62-07", "62-10"].map(valueAt);
  const category = required("52");
  const currency = { numeric: required("53"), digits: currencyDigits(required("53")) ?? 0 };
  return {
    guid: required("26-00"),
    payeeId: base64UrlToUuid(required("26-01")) ?? "",
    payee: required("59"),
    ...(payeeNit === undefined ? {} : { payeeNit }),
    city: required("60"),
    ...(category === NO_CATEGORY ? {} : { merchantCategory: category }),
    currency,
    ...(amount === undefined ? {} : { amountMinor: parseAmount(amount, currency.digits) }),
    ...(reference === undefined ? {} : { reference }),
    ...(expiry === undefined ? {} : { expiresAt: Number.parseInt(expiry, 36) }),
    keyId: required("26-03"),
    ...(terminal === undefined ? {} : { terminal }),
    purpose: required("62-08") === PURPOSE_CODES.recharge ? "recharge" : "purchase",
  };
}
