import { type JSONPath, type JSONVisitor, visit } from "jsonc-parser";
import { exactNumber } from "./exact-json.ts";

/** As many digits a double always holds; an exponent may put a short number beyond its range. */
const SHORT = 15;

/** A number that a double would round: its place in the parsed JSON, and as it is written. */
interface Rounded {
  readonly path: JSONPath;
  readonly source: string;
}

function isHolder(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Puts the exact value at the number's place; leaves the value of a later field with the same name, which counts. */
function restore(root: { value: unknown }, { path, source }: Rounded): void {
  const place: JSONPath = ["value", ...path];
  const name = place.pop() ?? "";
  let holder: unknown = root;
  for (const step of place) holder = isHolder(holder) ? Reflect.get(holder, step) : undefined;
  if (isHolder(holder) && Reflect.get(holder, name) === Number(source)) Reflect.set(holder, name, exactNumber(source));
}

/**
 * Parses JSON so that nothing is rounded: a number that a double cannot hold exactly as written (more than 15 to 17
 * digits, beyond its range) becomes a raw JSON value, which `JSON.stringify` writes back as it came and which no
 * number schema accepts. Throws `SyntaxError` as `JSON.parse` does, and whatever a visitor of the text throws. A
 * reviver tells each number's text too, but takes fifteen times as long: large bodies would keep everybody waiting.
 */
export function parseExactJson(text: string, visitor: JSONVisitor = {}): unknown {
  const root: { value: unknown } = { value: JSON.parse(text) };
  const rounded: Rounded[] = [];
  visit(text, {
    ...visitor,
    onLiteralValue(literal, offset, length, _line, _column, pathOfLiteral) {
      if (typeof literal !== "number") return;
      const source = text.slice(offset, offset + length);
      if (source.length <= SHORT && !/[eE]/.test(source)) return;
      if (typeof exactNumber(source) !== "number") rounded.push({ path: pathOfLiteral(), source });
    },
  });
  for (const each of rounded) restore(root, each);
  return root.value;
}
