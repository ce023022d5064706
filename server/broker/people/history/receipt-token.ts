import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Movement } from "../../../../src/contract/broker/broker.ts";
import { CROCKFORD_ALPHABET } from "../../../../src/payment-reference.ts";
import { fromBase64Url, toBase64Url } from "../../../../src/qr-payload/base64url.ts";
import { deriveBytes } from "../../access/opaque-token.ts";

/** Permanent facts of a receipt for money that moved; the payment's later state is in no receipt. */
export interface ReceiptFacts {
  readonly kind: Movement["kind"];
  readonly id: string;
  readonly payerId: string;
  readonly payeeId: string;
  readonly amountMinor: bigint;
  readonly createdAt: Date;
  readonly reference: string;
}

/** A written receipt: the token that its QR carries, and the code that people compare by eye. */
export interface WrittenReceipt {
  readonly receipt: string;
  readonly check_code: string;
}

/** Writes receipts that nobody else can write, and reads them again; nothing is stored. */
export interface ReceiptTokens {
  write(facts: ReceiptFacts): WrittenReceipt;
  /** Reads a receipt; undefined for one that was not written here, to the last bit. */
  read(receipt: string): (ReceiptFacts & { readonly checkCode: string }) | undefined;
}

/** The first version had the ids of payer and payee in clear: it is read, for receipts on paper, and not written. */
const VERSION_IN_CLEAR = 1;
const VERSION = 2;
/** The order is part of the form: kinds are only ever added at the end. */
const KINDS = ["payment", "batch", "recharge", "qr", "refund", "transfer"] as const satisfies Movement["kind"][];
const UUID_BYTES = 16;
const PARTIES_AT = 1 + UUID_BYTES;
const AMOUNT_AT = 1 + 3 * UUID_BYTES;
const TIME_AT = AMOUNT_AT + 8;
const TIME_BYTES = 6;
const REFERENCE_AT = TIME_AT + TIME_BYTES;
const MAC_BYTES = 16;
const CODE_LENGTH = 8;
const BITS_PER_CHARACTER = 5n;

function bytesOfUuid(id: string): Buffer {
  return Buffer.from(id.replaceAll("-", ""), "hex");
}

function uuidAt(bytes: Buffer, index: number): string {
  const start = 1 + index * UUID_BYTES;
  const hex = bytes.toString("hex", start, start + UUID_BYTES);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function encode({ kind, id, payerId, payeeId, amountMinor, createdAt, reference }: ReceiptFacts): Buffer {
  const head = Buffer.from([(VERSION << 4) | KINDS.indexOf(kind)]);
  const numbers = Buffer.alloc(REFERENCE_AT - AMOUNT_AT);
  numbers.writeBigUInt64BE(amountMinor);
  numbers.writeUIntBE(createdAt.getTime(), TIME_AT - AMOUNT_AT, TIME_BYTES);
  return Buffer.concat([head, ...[id, payerId, payeeId].map(bytesOfUuid), numbers, Buffer.from(reference)]);
}

function decode(bytes: Buffer): ReceiptFacts | undefined {
  const kind = KINDS[bytes.readUInt8(0) & 15];
  if (kind === undefined) return undefined;
  return {
    kind,
    id: uuidAt(bytes, 0),
    payerId: uuidAt(bytes, 1),
    payeeId: uuidAt(bytes, 2),
    amountMinor: bytes.readBigUInt64BE(AMOUNT_AT),
    createdAt: new Date(bytes.readUIntBE(TIME_AT, TIME_BYTES)),
    reference: bytes.toString("utf8", REFERENCE_AT),
  };
}

/** Makes a check code as a QR's, and twice as long: of the MAC's hash, so that it tells nothing of the MAC itself. */
function codeOf(mac: Uint8Array): string {
  const bits = createHash("sha256").update(mac).digest().readBigUInt64BE() >> (64n - 8n * BITS_PER_CHARACTER);
  return Array.from({ length: CODE_LENGTH }, (_, index) =>
    CROCKFORD_ALPHABET.charAt(Number((bits >> (BITS_PER_CHARACTER * BigInt(CODE_LENGTH - 1 - index))) & 31n)),
  ).join("");
}

/**
 * Encrypts the ids of payer and payee, or decrypts them. The pad is derived from the payment's id, which is in clear
 * and unique, so that no pad is used for two pairs; the MAC covers the result.
 */
function xorParties(bytes: Buffer, key: Uint8Array): Buffer {
  const pad = createHmac("sha256", key).update(bytes.subarray(1, PARTIES_AT)).digest();
  const turned = Buffer.from(bytes);
  for (const [index, byte] of pad.entries()) turned[PARTIES_AT + index] = (bytes[PARTIES_AT + index] ?? 0) ^ byte;
  return turned;
}

/** Creates the writer and reader of one broker's receipts, under keys that are used for nothing else. */
export function createReceiptTokens(brokerKey: Uint8Array): ReceiptTokens {
  const key = deriveBytes(brokerKey, "receipt");
  const partiesKey = deriveBytes(brokerKey, "receipt parties");
  const macOf = (bytes: Uint8Array): Buffer => createHmac("sha256", key).update(bytes).digest().subarray(0, MAC_BYTES);
  const factsOf = (bytes: Buffer): ReceiptFacts | undefined => {
    const version = bytes.readUInt8(0) >> 4;
    if (version === VERSION_IN_CLEAR) return decode(bytes);
    return version === VERSION ? decode(xorParties(bytes, partiesKey)) : undefined;
  };
  return {
    write(facts) {
      const bytes = xorParties(encode(facts), partiesKey);
      const mac = macOf(bytes);
      return { receipt: toBase64Url(Buffer.concat([bytes, mac])), check_code: codeOf(mac) };
    },
    read(receipt) {
      const whole = Buffer.from(fromBase64Url(receipt) ?? []);
      if (whole.length <= REFERENCE_AT + MAC_BYTES) return undefined;
      const bytes = whole.subarray(0, -MAC_BYTES);
      const mac = macOf(bytes);
      if (!timingSafeEqual(mac, whole.subarray(-MAC_BYTES))) return undefined;
      const facts = factsOf(bytes);
      return facts && { ...facts, checkCode: codeOf(mac) };
    },
  };
}
