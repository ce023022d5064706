import { ApiError, type Fault } from "../../src/contract/shared/errors.ts";
import { escapePointer, parseStrictJson, UnfitJsonError } from "../../src/strict-json.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new ApiError("malformed_json", { detail: "The body is not valid UTF-8.", cause });
  }
}

/** Decodes and parses a body: fatal UTF-8, then {@link parseStrictJson}; throws `malformed_json` with a sentence. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  try {
    return parseStrictJson(text);
  } catch (error) {
    if (!(error instanceof UnfitJsonError)) throw error;
    const { message: detail, repeated, cause } = error;
    const faults = repeated === undefined ? [] : [{ pointer: repeated, detail: "is sent twice: send it once" }];
    throw new ApiError("malformed_json", { detail, cause, ...(faults.length === 0 ? {} : { faults }) });
  }
}

/**
 * Lists a fault for every string and member name with half a surrogate pair, which JSON can spell and Unicode cannot
 * (RFC 8785 §3.2.2.2): neither a fingerprint nor a database can keep it.
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
