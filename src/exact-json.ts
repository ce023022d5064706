/** Source text access and `JSON.rawJSON` (ECMA-262, proposal-json-parse-with-source), not yet in our lib. */
interface SourceJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): object;
}

const json = JSON as unknown as SourceJson;

/** Longer than any spelling of a double but one padded with zeros, which then stays as it was sent. */
const MAX_SOURCE_LENGTH = 400;

/** Sign, digits without leading and trailing zeros, and exponent: equal for two spellings of one decimal number. */
function canonical(source: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/**
 * Parses JSON so that nothing is rounded: a number that a double cannot hold exactly as written (more than 15 to 17
 * digits, beyond its range) becomes a raw JSON value, which `JSON.stringify` writes back as it came and which no
 * number schema accepts. Throws `SyntaxError` as `JSON.parse` does.
 */
export function parseExactJson(text: string): unknown {
  return json.parse(text, (_key, value, { source }) => {
    if (typeof value !== "number" || source === undefined) return value;
    const isShort = source.length <= MAX_SOURCE_LENGTH;
    if (isShort && Number.isFinite(value) && canonical(source) === canonical(String(value))) return value;
    return json.rawJSON(source);
  });
}
