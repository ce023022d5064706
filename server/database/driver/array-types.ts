interface ElementType {
  readonly array: number;
  readonly parse: (text: string) => unknown;
}

const asText = (text: string): string => text;

/** The element types of arrays that we use. Type numbers are those of PostgreSQL's pg_type. */
const ELEMENT_TYPES: Readonly<Record<number, ElementType>> = Object.freeze({
  16: { array: 1000, parse: (text) => text === "t" }, // boolean
  17: { array: 1001, parse: (text) => Buffer.from(text.slice(2), "hex") }, // bytea
  20: { array: 1016, parse: BigInt }, // int8
  23: { array: 1007, parse: Number }, // int4
  25: { array: 1009, parse: asText }, // text
  1082: { array: 1182, parse: asText }, // date
  1184: { array: 1185, parse: (text) => new Date(text) }, // timestamptz
  1700: { array: 1231, parse: asText }, // numeric
  2950: { array: 2951, parse: asText }, // uuid
  3802: { array: 3807, parse: asText }, // jsonb
});

/** The number of the type of arrays of an element type. Throws for an element type of which we know none. */
export function arrayTypeOf(elementType: number): number {
  const type = ELEMENT_TYPES[elementType];
  if (type === undefined) throw new TypeError(`There is no array type for the element type ${elementType}.`);
  return type.array;
}

/** How the text of a one-dimensional array column is read, by the number of its type. */
export const ARRAY_PARSERS: Readonly<Record<number, (text: string) => unknown[]>> = Object.freeze(
  Object.fromEntries(
    Object.values(ELEMENT_TYPES).map(({ array, parse }) => [array, (text: string) => readArray(text, parse)]),
  ),
);

/** The text of a one-dimensional array, of elements of any type. */
export function arrayText(values: readonly unknown[]): string {
  return `{${values.map(elementText).join()}}`;
}

function elementText(value: unknown): string {
  if (value === null) return "NULL";
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString("hex")}"`;
  return `"${String(value).replace(/["\\]/g, "\\$&")}"`;
}

const ELEMENT = /"((?:[^"\\]|\\.)*)"|([^,{}]+)/gs;

function readArray(text: string, parse: ElementType["parse"]): unknown[] {
  return [...text.matchAll(ELEMENT)].map(([, quoted, bare]) => {
    if (quoted !== undefined) return parse(quoted.replace(/\\(.)/gs, "$1"));
    return bare === undefined || bare === "NULL" ? null : parse(bare);
  });
}
