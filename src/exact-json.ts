/** `JSON.rawJSON` (ECMA-262, proposal-json-parse-with-source), not yet in our lib. */
interface SourceJson {
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

/** True where a double, written again, is the decimal number that the text spells. */
function isHeldExactly(source: string): boolean {
  const value = Number(source);
  return source.length <= MAX_SOURCE_LENGTH && Number.isFinite(value) && canonical(source) === canonical(String(value));
}

/**
 * A plain decimal as the value that `JSON.stringify` writes with every digit: a number, or a raw JSON value where a
 * double would round it, which is good for nothing but being written. Only for what goes out as JSON.
 */
export function exactNumber(decimal: string): number {
  return isHeldExactly(decimal) ? Number(decimal) : (json.rawJSON(decimal) as unknown as number);
}

/** Strings first, so that no digit within one is taken for a number. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * Returns the JSON text with each number that a double would round in quotes: a string, which fits no schema of a
 * number.
 */
export function quoteRounded(text: string): string {
  return text.replace(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') || isHeldExactly(token) ? token : `"${token}"`,
  );
}
