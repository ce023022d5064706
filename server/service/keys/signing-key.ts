import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

/** The use of a signing key, access tokens or payment codes; the two never share a key. */
export type KeyPurpose = "token" | "qr";

/** A signing key as the database has it: the private key sealed. */
export interface SigningKey {
  readonly kid: string;
  readonly purpose: KeyPurpose;
  /** 32 raw bytes. */
  readonly publicKey: Uint8Array;
  readonly sealedPrivateKey: Uint8Array;
  readonly notBefore: Date;
  /** Ends signing, not verifying. */
  readonly notAfter: Date | null;
  readonly revokedAt: Date | null;
}

/** How long an access token is good, in seconds. */
export const TOKEN_LIFETIME_SECONDS = 3600;

/** The most by which the clocks of several processes may differ. */
const CLOCK_SKEW_MS = 300_000;

/** Bytes of an Ed25519 private key (RFC 8032 §5.1.5). */
export const PRIVATE_KEY_BYTES = 32;

/** The DER that goes before the 32 bytes in PKCS #8 (RFC 8410 §7) and in SPKI (§4). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");
const SPKI_HEAD = Buffer.from("302a300506032b6570032100", "hex");

/** Builds the Ed25519 private key of 32 random bytes. */
export function privateKeyOf(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: "der", type: "pkcs8" });
}

/** Builds the Ed25519 public key of its 32 raw bytes. */
export function publicKeyOf(raw: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI_HEAD, raw]), format: "der", type: "spki" });
}

/** The 32 raw bytes of a private key's public half. */
export function rawPublicKey(privateKey: KeyObject): Uint8Array {
  const spki = createPublicKey(privateKey).export({ format: "der", type: "spki" });
  return spki.subarray(SPKI_HEAD.length);
}

/**
 * The key of a purpose that signs at an instant: of those not revoked, the last that has begun. Where all are yet to
 * begin, which takes a clock behind that of the process that made them, the first.
 */
export function signingKeyAt(keys: readonly SigningKey[], purpose: KeyPurpose, now: Date): SigningKey | undefined {
  const live = keys
    .filter((key) => key.purpose === purpose && key.revokedAt === null)
    .sort((one, other) => one.notBefore.getTime() - other.notBefore.getTime());
  return live.findLast(({ notBefore }) => notBefore <= now) ?? live[0];
}

/** Milliseconds after which every token of an ended key or credential has expired, for every process. */
export const LONGEST_TOKEN_LIFE_MS = TOKEN_LIFETIME_SECONDS * 1000 + CLOCK_SKEW_MS;

/** True if a signature of a token key may still be valid: until the last token that it signed has expired. */
export function isTokenKeyLive({ notAfter, revokedAt }: SigningKey, now: Date): boolean {
  if (revokedAt !== null) return false;
  return notAfter === null || now.getTime() < notAfter.getTime() + LONGEST_TOKEN_LIFE_MS;
}
