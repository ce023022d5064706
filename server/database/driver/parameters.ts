import { arrayText, arrayTypeOf } from "./array-types.ts";
import { ArrayParameter } from "./parts.ts";

/** Left to PostgreSQL, which takes it from where the parameter stands. */
const UNKNOWN = 0;
const BOOLEAN = 16;
const BYTEA = 17;
const INT8 = 20;
const TEXT = 25;
const TIMESTAMPTZ = 1184;

/**
 * The type number that a parameter is sent with. Texts and numbers have none, so that a text may be a uuid, json or an
 * exact instant.
 */
export function parameterType(value: unknown): number {
  if (value instanceof ArrayParameter) {
    const [first] = value.values;
    return first === undefined ? UNKNOWN : arrayTypeOf(elementType(first) || TEXT);
  }
  if (!Array.isArray(value)) return elementType(value);
  const type = elementType(value[0]);
  return type === UNKNOWN ? UNKNOWN : arrayTypeOf(type);
}

function elementType(value: unknown): number {
  if (typeof value === "bigint") return INT8;
  if (typeof value === "boolean") return BOOLEAN;
  if (value instanceof Date) return TIMESTAMPTZ;
  return value instanceof Uint8Array ? BYTEA : UNKNOWN;
}

/** A parameter as it is sent. Throws for `undefined`, which would be written as null. */
export function sentParameter(value: unknown): string | Buffer | null {
  if (typeof value === "string" || value === null) return value;
  if (value === undefined) {
    throw Object.assign(new Error("UNDEFINED_VALUE: Undefined values are not allowed"), { code: "UNDEFINED_VALUE" });
  }
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayParameter) return arrayText(value.values);
  return Array.isArray(value) ? arrayText(value) : String(value);
}
