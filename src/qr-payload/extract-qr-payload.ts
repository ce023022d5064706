import { parsePaymentReference } from "../payment-reference.ts";

/**
 * The content of a scanned, pasted or typed text: a code, a link that carries one, a reference, one with a typing
 * error, or nothing of ours.
 */
export type ExtractedQrPayload =
  | { kind: "payload"; payload: string }
  | { kind: "link"; payload: string; origin: string }
  | { kind: "reference"; reference: string }
  | { kind: "mistyped_reference" }
  | { kind: "unknown" };

/** A payload with every character escaped is three times as long, and has its address before it. */
const MAX_TEXT = 4096;
const LINK = /^(https?:\/\/[^/?#\s]+)\/p\/?(?:\?[^#\s]*)?#(\S+)$/i;

/**
 * Finds the payment code in what a person gives the app: the code itself, `https://APP/p#PAYLOAD`, or a reference.
 * A payload that it returns may still be foreign or damaged: `parseQrPayload` tells. Never throws.
 */
export function extractQrPayload(text: string): ExtractedQrPayload {
  if (text.length > MAX_TEXT) return { kind: "unknown" };
  const trimmed = text.trim();
  const typed = parsePaymentReference(trimmed);
  if (typed.ok) return { kind: "reference", reference: typed.reference };
  if (trimmed.startsWith("000201")) return { kind: "payload", payload: trimmed };
  const [, origin, fragment] = LINK.exec(trimmed) ?? [];
  if (origin !== undefined && fragment !== undefined) return { kind: "link", payload: unescapeAscii(fragment), origin };
  return typed.fault === "mistyped" ? { kind: "mistyped_reference" } : { kind: "unknown" };
}

/** The link that opens the app at Confirm: `https://APP/p#PAYLOAD`. The fragment never reaches a server's log. */
export function qrPayloadLink(origin: string, payload: string): string {
  return `${origin}/p#${encodeURI(payload).replaceAll("#", "%23")}`;
}

/** Payloads are ASCII; any other escape stays as it is and the checksum refuses it. */
function unescapeAscii(text: string): string {
  return text.replace(/%([2-7][0-9a-f])/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
