import type { QrKeys } from "../../src/contract/broker/broker.ts";
import { amountToNumber } from "../../src/money.ts";
import { nameOfError } from "../../src/name-of-error.ts";
import { checkCode, parseQrPayload, verifyQrPayload } from "../../src/qr-payload.ts";
import type { ShownProblem } from "../platform/problem.ts";

/** Fields of a code whose signature has been verified with a kept key. */
interface OfflineCode {
  /** The payee's name in full: no more than its mask is shown to whoever does not know it already. */
  readonly payee: string;
  readonly payeeId: string;
  /** In currency units; absent in a code without an amount. */
  readonly amount?: number;
  readonly reference?: string;
  readonly check_code: string;
}

/**
 * Result of verifying a code without a network: authentic, with its payee and amount; the problem with it, also if none
 * of the stored QR keys made it; or `unknown`, where this device has no QR keys or cannot verify.
 */
export type OfflineReading =
  | { readonly kind: "authentic"; readonly code: OfflineCode }
  | { readonly kind: "problem"; readonly problem: ShownProblem }
  | { readonly kind: "unknown" };

/**
 * Verifies a code's signature and expiry on this device with the kept QR keys; `unknown` without keys, or where the
 * browser has no Ed25519.
 */
export async function verifyOffline(payload: string, keys: QrKeys | undefined, nowMs: number): Promise<OfflineReading> {
  if (keys === undefined) return { kind: "unknown" };
  const parsed = parseQrPayload(payload, keys.guid);
  if (parsed.kind !== "cupo") return { kind: "problem", problem: { failure: "damaged_code" } };
  const list = keys.keys.map(({ kid, key, revoked }) => ({
    kid,
    publicKey: key,
    ...(revoked === undefined ? {} : { revoked }),
  }));
  try {
    const { authenticity, expired } = await verifyQrPayload(parsed, list, Math.floor(nowMs / 1000));
    if (authenticity === "forged") return { kind: "problem", problem: { failure: "qr_not_authentic" } };
    if (authenticity === "unknown_key") return { kind: "problem", problem: { failure: "unknown_service" } };
    if (expired) return { kind: "problem", problem: { failure: "qr_expired" } };
  } catch (error) {
    // Browsers before 2025 have no Ed25519: the code is verified when the connection is back.
    if (nameOfError(error) !== "NotSupportedError") throw error;
    return { kind: "unknown" };
  }
  const { payee, payeeId, amountMinor, currency, reference } = parsed.fields;
  const amount = amountMinor === undefined ? {} : { amount: amountToNumber(amountMinor, currency.digits) };
  const code = { payee, payeeId, ...amount, ...(reference === undefined ? {} : { reference }) };
  return { kind: "authentic", code: { ...code, check_code: await checkCode(parsed.signature) } };
}
