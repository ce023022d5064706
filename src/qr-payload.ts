import { CROCKFORD_ALPHABET } from "./payment-reference.ts";
import { fromBase64Url, toBase64Url } from "./qr-payload/base64url.ts";
import { currencyDigits } from "./qr-payload/currency.ts";
import {
  type EmvDataObject,
  type EmvStructureFault,
  emvChecksum,
  isEmvTemplate,
  readEmvDataObjects,
  writeEmvDataObject,
} from "./qr-payload/emv-data-objects.ts";
import { nameEmvScheme } from "./qr-payload/emv-scheme.ts";
import { QrPayloadError } from "./qr-payload/qr-payload-error.ts";
import {
  firstDifference,
  maxQrAmountMinor,
  NO_CATEGORY,
  type QrFieldFault,
  type QrPayloadFields,
  readSignedPart,
  writeSignedPart,
} from "./qr-payload/signed-part.ts";

export { type ExtractedQrPayload, extractQrPayload, qrPayloadLink } from "./qr-payload/extract-qr-payload.ts";
export { QrPayloadError } from "./qr-payload/qr-payload-error.ts";
export type { QrPayloadFields, QrPurpose } from "./qr-payload/signed-part.ts";

/** The longest text that is read as a code; more cannot be a payment code that a phone has scanned. */
export const MAX_QR_INPUT = 1024;

const EMV_START = "000201";
const SIGNATURE_BYTES = 64;
/** Where the GUID of field 26 begins: ids 00 and 01, which come before, have a fixed length. */
const GUID_POSITION = 20;

/**
 * Function that signs the given bytes with the private Ed25519 key to which the `keyId` of the encoded fields belongs:
 * node:crypto on the server, WebCrypto elsewhere.
 */
export type QrSigner = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array | Promise<Uint8Array>;

/** A finished code: the text of the QR, and the four characters that people compare. */
export interface EncodedQrPayload {
  payload: string;
  checkCode: string;
}

/** The faults that make an EMV code damaged rather than foreign. */
export type QrDamage = EmvStructureFault | QrFieldFault | "too_long" | "checksum_missing" | "checksum_wrong";

/**
 * A well-formed code of this scheme: its fields, its signature, and the text that the signature covers;
 * {@link verifyQrPayload} says if it is authentic.
 */
export interface CupoQrPayload {
  kind: "cupo";
  fields: QrPayloadFields;
  signature: Uint8Array<ArrayBuffer>;
  signedPart: string;
}

/**
 * The result of classifying a scanned text: ours, another scheme's, damaged, or none. Positions count characters from
 * 0.
 */
export type ParsedQrPayload =
  | CupoQrPayload
  | { kind: "foreign"; scheme: string; country?: string; merchant?: string }
  | { kind: "damaged"; reason: QrDamage; position: number }
  | { kind: "not_emv"; position: number };

/** A public key as `/.well-known/cupo-qr-keys.json` gives it: 32 raw bytes in base64url. */
export interface QrPublicKey {
  kid: string;
  publicKey: string;
  revoked?: boolean;
}

/**
 * Verdict of {@link verifyQrPayload} on a code's signature. `unknown_key` is a code from another Cupo service, or one
 * whose key was revoked; never call it forged.
 */
export type QrAuthenticity = "authentic" | "forged" | "unknown_key";

/**
 * Makes the EMVCo merchant-presented code of a payment request and has it signed.
 * Throws {@link QrPayloadError} `amount_too_large_for_qr`, or `invalid_qr_field` with the field's path.
 */
export async function encodeQrPayload(fields: QrPayloadFields, sign: QrSigner): Promise<EncodedQrPayload> {
  const { currency, amountMinor } = fields;
  if (currencyDigits(currency.numeric) !== currency.digits) throw invalidField("53");
  if (fields.merchantCategory === NO_CATEGORY) throw invalidField("52");
  if (amountMinor !== undefined && amountMinor > maxQrAmountMinor(currency.digits)) {
    throw new QrPayloadError("amount_too_large_for_qr", "54", "the amount has more characters than a payment QR holds");
  }
  const signedPart = writeSignedPart(fields);
  const reading = readSignedPart(signedPart);
  if (!reading.ok) throw invalidField(reading.path);
  const signature = await sign(new TextEncoder().encode(signedPart));
  if (signature.length !== SIGNATURE_BYTES) throw new RangeError("an Ed25519 signature has 64 bytes");
  const unchecked = `${signedPart}${signatureObject(fields, toBase64Url(signature))}6304`;
  return { payload: unchecked + emvChecksum(unchecked), checkCode: await checkCode(signature) };
}

/**
 * Classifies any scanned text: a code of ours, a sound code of another scheme, a damaged code, or no EMV code at all.
 * Never throws. Our own codes are read only in the one form that {@link encodeQrPayload} writes.
 */
export function parseQrPayload(text: string, guid: string): ParsedQrPayload {
  if (!text.startsWith(EMV_START)) return { kind: "not_emv", position: firstDifference(text, EMV_START) ?? 0 };
  if (text.length > MAX_QR_INPUT) return { kind: "damaged", reason: "too_long", position: MAX_QR_INPUT };
  const characters = [...text];
  const root = readEmvDataObjects(characters, 0, characters.length);
  if (!root.ok) return { kind: "damaged", reason: root.fault, position: root.position };
  const last = root.objects.at(-1);
  const checksum = root.objects.find((object) => object.id === "63");
  if (checksum === undefined || checksum !== last || checksum.value.length !== 4) {
    return { kind: "damaged", reason: "checksum_missing", position: checksum?.position ?? characters.length };
  }
  const expected = emvChecksum(text.slice(0, -4));
  if (checksum.value.toUpperCase() !== expected) {
    return { kind: "damaged", reason: "checksum_wrong", position: checksum.valuePosition };
  }
  const guids = readGuids(characters, root.objects);
  if ("kind" in guids) return guids;
  if (["26", ...Object.values(SIGNATURE_IDS)].some((id) => guids.get(id) === guid))
    return parseCupo(text, guid, root.objects);
  return foreign(root.objects, guids);
}

type Imported = ReturnType<typeof crypto.subtle.importKey>;

/** Imported public keys, so that each is imported once; an installation has few. */
const importedKeys = new Map<string, Imported>();
const MOST_IMPORTED = 100;

function importKey(publicKey: string): Imported {
  const raw = fromBase64Url(publicKey);
  if (raw?.length !== 32) throw new TypeError("a QR public key must be 32 bytes in base64url");
  const known = importedKeys.get(publicKey);
  if (known !== undefined) return known;
  const imported = crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"]);
  if (importedKeys.size >= MOST_IMPORTED) importedKeys.clear();
  importedKeys.set(publicKey, imported);
  imported.catch(() => importedKeys.delete(publicKey));
  return imported;
}

/**
 * Verifies that this service issued the code, unaltered, and says if it has expired. Works offline. Rejects when the
 * platform has no Ed25519 (browsers before 2025, pages without https) or when a key of the list is no key.
 */
export async function verifyQrPayload(
  parsed: CupoQrPayload,
  keys: readonly QrPublicKey[],
  nowSeconds: number,
): Promise<{ authenticity: QrAuthenticity; expired: boolean }> {
  const { expiresAt, keyId } = parsed.fields;
  const expired = expiresAt !== undefined && nowSeconds >= expiresAt;
  const candidates = keys.filter((key) => key.kid === keyId && key.revoked !== true);
  if (candidates.length === 0) return { authenticity: "unknown_key", expired };
  const signed = new TextEncoder().encode(parsed.signedPart);
  for (const { publicKey } of candidates) {
    const key = await importKey(publicKey);
    if (await crypto.subtle.verify("Ed25519", key, parsed.signature, signed))
      return { authenticity: "authentic", expired };
  }
  return { authenticity: "forged", expired };
}

/** The four Crockford base32 characters that payee and payer compare: the first 20 bits of the signature's SHA-256. */
export async function checkCode(signature: Uint8Array): Promise<string> {
  const [first = 0, second = 0, third = 0] = new Uint8Array(
    await crypto.subtle.digest("SHA-256", Uint8Array.from(signature)),
  );
  const bits = (first << 12) | (second << 4) | (third >> 4);
  return [15, 10, 5, 0].map((shift) => CROCKFORD_ALPHABET.charAt((bits >> shift) & 31)).join("");
}

function parseCupo(text: string, guid: string, objects: readonly EmvDataObject[]): ParsedQrPayload {
  const signatureField = objects.at(-2);
  if (signatureField === undefined || !Object.values(SIGNATURE_IDS).includes(signatureField.id)) {
    return { kind: "damaged", reason: "field_missing", position: text.length - 8 };
  }
  const signedPart = text.slice(0, signatureField.position);
  const reading = readSignedPart(signedPart);
  if (!reading.ok) return { kind: "damaged", reason: reading.fault, position: reading.position };
  if (reading.fields.guid !== guid) return { kind: "damaged", reason: "field_invalid", position: GUID_POSITION };
  const signatureText = signatureField.value.slice(-86);
  const unchecked = `${signedPart}${signatureObject(reading.fields, signatureText || "?")}6304`;
  const difference = firstDifference(text, unchecked + emvChecksum(unchecked));
  if (difference !== undefined) return { kind: "damaged", reason: "not_canonical", position: difference };
  const signature = fromBase64Url(signatureText);
  if (signature?.length !== SIGNATURE_BYTES) {
    return { kind: "damaged", reason: "field_invalid", position: signatureField.valuePosition };
  }
  return { kind: "cupo", fields: reading.fields, signature, signedPart };
}

/**
 * The template of the signature. Version 0.1 wrote 80, which EASPBV (Colombia) gives to the channel of a payment; its
 * codes, which say no category, are read for ever.
 */
const SIGNATURE_IDS = { now: "86", withoutCategory: "80" };

function signatureObject({ guid, merchantCategory }: QrPayloadFields, signatureText: string): string {
  const id = merchantCategory === undefined ? SIGNATURE_IDS.withoutCategory : SIGNATURE_IDS.now;
  return writeEmvDataObject(id, writeEmvDataObject("00", guid) + writeEmvDataObject("01", signatureText));
}

/** From this id on a template is anybody's own (EMVCo QRCPS-MPM 1.1, table 3.2), and may hold any text. */
const FIRST_UNRESERVED = 80;

/** The GUIDs of all templates by root id, or the first fault inside a template whose form the standard fixes. */
function readGuids(
  characters: readonly string[],
  objects: readonly EmvDataObject[],
): Map<string, string> | { kind: "damaged"; reason: QrDamage; position: number } {
  const guids = new Map<string, string>();
  for (const object of objects) {
    if (!isEmvTemplate(object.id)) continue;
    const end = object.valuePosition + [...object.value].length;
    const inner = readEmvDataObjects(characters, object.valuePosition, end);
    if (!inner.ok && Number(object.id) >= FIRST_UNRESERVED) continue;
    if (!inner.ok) return { kind: "damaged", reason: inner.fault, position: inner.position };
    const guid = inner.objects.find(({ id }) => id === "00");
    if (guid !== undefined && object.id !== "62" && object.id !== "64") guids.set(object.id, guid.value);
  }
  return guids;
}

function foreign(objects: readonly EmvDataObject[], guids: ReadonlyMap<string, string>): ParsedQrPayload {
  const root = new Map(objects.map(({ id, value }) => [id, value]));
  const [country, merchant] = [root.get("58"), root.get("59")];
  return {
    kind: "foreign",
    scheme: nameEmvScheme({ root, guids }),
    ...(country === undefined ? {} : { country }),
    ...(merchant === undefined ? {} : { merchant }),
  };
}

function invalidField(path: string): QrPayloadError {
  return new QrPayloadError("invalid_qr_field", path, `EMV field ${path} has a value that a payment QR cannot carry`);
}
