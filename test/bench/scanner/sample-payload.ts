import { createPaymentReference } from "../../../src/payment-reference.ts";
import { encodeQrPayload, type QrPayloadFields } from "../../../src/qr-payload.ts";
import { between, type Random } from "./random.ts";

const SIGNATURE_BYTES = 64;
const EXPIRES_AT = 1_800_000_000;

function bytes(random: Random, count: number): Uint8Array {
  return Uint8Array.from({ length: count }, () => Math.floor(between(random, 0, 256)));
}

function userId(random: Random): string {
  const digits = [...bytes(random, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-7$3-9$4-$5");
}

function staticFields(random: Random): QrPayloadFields {
  return {
    guid: "co.qp",
    payeeId: userId(random),
    payee: "Cafe La Candelaria",
    payeeNit: "900123456-7",
    city: "Bogota",
    currency: { numeric: "170", digits: 2 },
    keyId: "k1",
    purpose: "purchase",
  };
}

function dynamicFields(random: Random): QrPayloadFields {
  return {
    ...staticFields(random),
    merchantCategory: "5812",
    amountMinor: BigInt(Math.floor(between(random, 100_000, 99_999_999))),
    reference: createPaymentReference((count) => bytes(random, count)),
    expiresAt: EXPIRES_AT,
    terminal: "CAJA-01",
  };
}

/**
 * The text of a code as the service makes it, on the counter or for one payment. Its signature is as long as a real
 * one and says nothing: a decoder reads it all the same, and the pictures stay the same from run to run.
 */
export async function samplePayload(random: Random, kind: "static" | "dynamic"): Promise<string> {
  const fields = kind === "static" ? staticFields(random) : dynamicFields(random);
  const { payload } = await encodeQrPayload(fields, () => bytes(random, SIGNATURE_BYTES));
  return payload;
}
