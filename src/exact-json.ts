import { type JSONPath, type JSONVisitor, visit } from "jsonc-parser";

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

/** JSON in which each number that a double would round is a string instead, which fits no schema of a number. */
export function quoteRounded(text: string): string {
  return text.replace(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') || isHeldExactly(token) ? token : `"${token}"`,
  );
}

/** As many digits a double always holds; an exponent may put a short number beyond its range. */
const SHORT = 15;

/** Replaces the value at a place of parsed JSON; answers the root, which may be that value. */
function replaceAt(root: unknown, path: JSONPath, value: unknown): unknown {
  const last = path.at(-1);
  if (last === undefined) return value;
  let holder = root as Record<JSONPath[number], unknown>;
  for (const step of path.slice(0, -1)) holder = holder[step] as Record<JSONPath[number], unknown>;
  holder[last] = value;
  return root;
}

/**
 * Parses JSON so that nothing is rounded: a number that a double cannot hold exactly as written (more than 15 to 17
 * digits, beyond its range) becomes a raw JSON value, which `JSON.stringify` writes back as it came and which no
 * number schema accepts. Throws `SyntaxError` as `JSON.parse` does, and whatever a visitor of the text throws. A
 * reviver tells each number's text too, but takes fifteen times as long: large bodies would keep everybody waiting.
 */
export function parseExactJson(text: string, visitor: JSONVisitor = {}): unknown {
  let value: unknown = JSON.parse(text);
  visit(text, {
    ...visitor,
    onLiteralValue(literal, offset, length, _line, _column, pathOfLiteral) {
      if (typeof literal !== "number") return;
      const source = text.slice(offset, offset + length);
      if (source.length <= SHORT && !/[eE]/.test(source)) return;
      if (!isHeldExactly(source)) value = replaceAt(value, pathOfLiteral(), json.rawJSON(source));
    },
  });
  return value;
}
