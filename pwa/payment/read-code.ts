import { extractQrPayload, parseQrPayload } from "../../src/qr-payload.ts";
import type { ShownProblem } from "../platform/problem.ts";
import type { CodeInput } from "../store/attempt-store.ts";

/** Result of reading a scanned, pasted or typed text. */
export type ReadCode =
  | { readonly ok: true; readonly code: CodeInput }
  | { readonly ok: false; readonly problem: ShownProblem };

function refuse(problem: ShownProblem): ReadCode {
  return { ok: false, problem };
}

/**
 * Reads a scanned, pasted or typed text as a payment code or a reference, without a request, so that a foreign or
 * damaged code is reported at once, also offline. Does not verify the code's signature.
 */
export function readCode(text: string, guid: string): ReadCode {
  const extracted = extractQrPayload(text);
  if (extracted.kind === "reference") return { ok: true, code: { reference: extracted.reference } };
  if (extracted.kind === "mistyped_reference") return refuse({ failure: "mistyped_reference" });
  if (extracted.kind === "unknown") return refuse({ failure: "not_a_code" });
  const parsed = parseQrPayload(extracted.payload, guid);
  if (parsed.kind === "foreign") return refuse({ failure: "foreign_code", scheme: parsed.scheme });
  if (parsed.kind === "damaged") return refuse({ failure: "damaged_code" });
  if (parsed.kind === "not_emv") return refuse({ failure: "not_a_code" });
  return { ok: true, code: { payload: extracted.payload } };
}

/** The payment codes among several texts, each once, and what the first of the other texts is instead. */
export interface ReadCodes {
  readonly codes: readonly CodeInput[];
  readonly problem: ShownProblem | undefined;
}

/** Returns each code once, by its payload or reference: a link and the payload in it are the same. */
export function eachOnce(codes: readonly CodeInput[]): readonly CodeInput[] {
  const textOf = (code: CodeInput): string => ("payload" in code ? code.payload : code.reference);
  return [...new Map(codes.map((code) => [textOf(code), code])).values()];
}

/** Reads all texts of a picture as {@link readCode} does one. */
export function readCodes(texts: readonly string[], guid: string): ReadCodes {
  const read = texts.map((text) => readCode(text, guid));
  const codes = read.flatMap((each) => (each.ok ? [each.code] : []));
  const [problem] = read.flatMap((each) => (each.ok ? [] : [each.problem]));
  return { codes: eachOnce(codes), problem };
}
