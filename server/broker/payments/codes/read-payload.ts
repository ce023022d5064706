import { ApiError } from "../../../../src/contract/shared/errors.ts";
import {
  type CupoQrPayload,
  extractQrPayload,
  parseQrPayload,
  type QrAuthenticity,
  verifyQrPayload,
} from "../../../../src/qr-payload.ts";
import type { BrokerContext } from "../../access/broker-context.ts";

/**
 * The content of a text that a person scanned, pasted or typed: an authentic code of ours, or a reference to look up.
 */
export type ReadText =
  | { readonly kind: "code"; readonly payload: string; readonly code: CupoQrPayload }
  | { readonly kind: "reference"; readonly reference: string };

type Tools = Pick<BrokerContext, "qrGuid" | "qrKeys" | "clock">;

const NOT_AUTHENTIC: Readonly<Record<Exclude<QrAuthenticity, "authentic">, string>> = Object.freeze({
  forged: "This code was altered, or was not issued here: do not pay it.",
  unknown_key: "This code is from another Cupo service, or the key that signed it was withdrawn.",
});

function refuse(detail: string): never {
  throw new ApiError("qr_not_authentic", { detail });
}

/** Verifies that a code was issued here; one that names an unknown key is verified again with the newest keys. */
async function authenticityOf(code: CupoQrPayload, { qrKeys, clock }: Tools): Promise<QrAuthenticity> {
  const nowSeconds = Math.floor(clock().getTime() / 1000);
  for (const load of [qrKeys.get, qrKeys.renew]) {
    const { keys } = await load();
    const known = keys.map(({ kid, key, revoked = false }) => ({ kid, publicKey: key, revoked }));
    const { authenticity } = await verifyQrPayload(code, known, nowSeconds);
    if (authenticity !== "unknown_key") return authenticity;
  }
  return "unknown_key";
}

/**
 * Reads a payload and verifies it as a code that was issued here; throws `qr_not_authentic` with a sentence that says
 * what it is instead.
 */
export async function readPayload(payload: string, tools: Tools): Promise<CupoQrPayload> {
  const code = parseQrPayload(payload, tools.qrGuid);
  if (code.kind === "not_emv") refuse("This is not a payment code.");
  if (code.kind === "damaged") refuse("This payment code is damaged: scan it again, or ask for a new one.");
  if (code.kind === "foreign") refuse(`This is a code of another scheme (${code.scheme}): Cupo cannot pay it.`);
  const authenticity = await authenticityOf(code, tools);
  if (authenticity !== "authentic") refuse(NOT_AUTHENTIC[authenticity]);
  return code;
}

/**
 * Reads any text that a person scans, pastes or types: a payload or a link with one, which it verifies, or a reference.
 * Throws `qr_not_authentic` for any other.
 */
export async function readText(text: string, tools: Tools): Promise<ReadText> {
  const found = extractQrPayload(text);
  if (found.kind === "reference") return found;
  if (found.kind === "mistyped_reference")
    refuse("This reference is mistyped: compare it with the one below the code.");
  if (found.kind === "unknown") refuse("This is neither a payment code nor a link or reference of one.");
  return { kind: "code", payload: found.payload, code: await readPayload(found.payload, tools) };
}
