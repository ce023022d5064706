import type { JSONVisitor } from "jsonc-parser";
import { parseExactJson } from "./parse-exact-json.ts";

/** Deeper nesting would let a small body exhaust the stack of whatever walks it later. */
const MAX_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Error of {@link parseStrictJson} for a body that it refuses; the message says why and what to do, and quotes nothing
 * of the body.
 */
export class UnfitJsonError extends Error {
  override readonly name = "UnfitJsonError";
  /** Place of the duplicate name, as a JSON pointer (RFC 6901); undefined for every other fault. */
  readonly repeated: string | undefined;

  constructor(message: string, { cause, repeated }: { cause?: unknown; repeated?: string } = {}) {
    super(message, { cause });
    this.repeated = repeated;
  }
}

/** The index after a string's closing quote, or the text's end. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === BACKSLASH) index += 1;
    else if (code === QUOTE) return index;
  }
  return text.length;
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Our own sentence: the parser's message quotes the body, which may hold a secret. */
function syntaxSentence(error: SyntaxError): string {
  const place = /\(line (\d+) column (\d+)\)/.exec(error.message);
  if (place !== null) return `The body is not JSON: look at line ${place[1]}, column ${place[2]}.`;
  if (/end of JSON input|Unterminated/i.test(error.message)) return "The body is not JSON: it ends too early.";
  return "The body is not JSON: check its quotes, commas and brackets, and that no number is NaN or Infinity.";
}

/** Escapes a field's name for use as one step of a JSON Pointer (RFC 6901). */
export function escapePointer(name: string): string {
  return name.toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Stops at the first name that an object has twice, however spelled: one reader takes the first, another the last. */
function refuseRepeatedNames(): JSONVisitor {
  const objects: Set<string>[] = [];
  return {
    onObjectBegin: () => void objects.push(new Set()),
    onObjectEnd: () => void objects.pop(),
    onObjectProperty: (name, _offset, _length, _line, _column, pathOfObject) => {
      const names = objects.at(-1);
      if (names?.has(name)) {
        const repeated = [...pathOfObject(), name].map((step) => `/${escapePointer(String(step))}`).join("");
        throw new UnfitJsonError("The body has a name twice in one object: send each name once.", { repeated });
      }
      names?.add(name);
    },
  };
}

/**
 * Parses the JSON of an untrusted body, which must mean one thing only: bounded depth, no number rounded (see
 * {@link parseExactJson}), no name twice in one object (RFC 8259 §4 leaves open which of the two counts). Throws
 * {@link UnfitJsonError}.
 */
export function parseStrictJson(text: string): unknown {
  if (text.trim() === "") throw new UnfitJsonError("The body is empty: send a JSON object.");
  if (isTooDeep(text)) throw new UnfitJsonError(`The body is nested more than ${MAX_DEPTH} levels deep.`);
  let value: unknown;
  try {
    value = parseExactJson(text, refuseRepeatedNames());
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new UnfitJsonError(syntaxSentence(cause), { cause });
  }
  return value;
}
