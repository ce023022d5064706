import { ARRAY_PARSERS } from "./array-types.ts";

const asText = (text: string): string => text;

/** How the text of a column is read, by the number of its type in PostgreSQL's pg_type; what is not here stays text. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = Object.freeze({
  ...ARRAY_PARSERS,
  16: (text) => text === "t", // boolean
  17: (text) => Buffer.from(text.slice(2), "hex"), // bytea
  20: BigInt, // int8
  21: Number, // int2
  23: Number, // int4
  26: Number, // oid
  700: Number, // float4
  701: Number, // float8
  1184: (text) => new Date(text), // timestamptz
});

/**
 * How a column of a type is read. numeric keeps every digit as text, json and jsonb are the text itself, because a
 * parsed number is no longer the number that was sent, and date and timestamp are no instants, so no Date.
 */
export function parserOf(type: number): (text: string) => unknown {
  return PARSERS[type] ?? asText;
}
