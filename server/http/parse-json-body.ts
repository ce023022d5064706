import { ApiError, type Fault } from "../../src/contract/errors.ts";
import { parseExactJson } from "../../src/exact-json.ts";

/** Deeper nesting would let a small body exhaust the stack of whatever walks it later. */
const MAX_DEPTH = 64;

const utf8 = new TextDecoder("utf-8", { fatal: true });
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

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

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new ApiError("malformed_json", { detail: "The body is not valid UTF-8.", cause });
  }
}

/** Decodes and parses a body: fatal UTF-8, bounded depth, no number rounded; else `malformed_json` with a sentence. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  if (text.trim() === "") throw new ApiError("malformed_json", { detail: "The body is empty: send a JSON object." });
  if (isTooDeep(text)) {
    throw new ApiError("malformed_json", { detail: `The body is nested more than ${MAX_DEPTH} levels deep.` });
  }
  try {
    return parseExactJson(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new ApiError("malformed_json", { detail: syntaxSentence(cause), cause });
  }
}

function escapePointer(key: string): string {
  return key.toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1");
}

/**
 * Every string with half a surrogate pair, which JSON can spell and Unicode cannot (RFC 8785 §3.2.2.2): neither a
 * fingerprint nor a database can keep it.
 */
export function brokenTextFaults(value: unknown, pointer = ""): Fault[] {
  if (typeof value === "string") {
    return value.isWellFormed() ? [] : [{ pointer, detail: "must be text without broken characters" }];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const place = `${pointer}/${escapePointer(key)}`;
    const name = key.isWellFormed() ? [] : [{ pointer: place, detail: "must have a name without broken characters" }];
    return [...name, ...brokenTextFaults(member, place)];
  });
}
