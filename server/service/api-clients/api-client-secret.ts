import { createHash, timingSafeEqual } from "node:crypto";

/** 256 bits: beyond guessing, so that a plain SHA-256 of it may be stored and compared. */
const SECRET_BYTES = 32;
/** Identifies a leaked secret to people and secret scanners. */
const SECRET_PREFIX = "cs_";
/** The most live secrets of one API client; secrets are compared in the same time for any number up to it. */
export const MOST_LIVE_SECRETS = 2;
const NO_HASH = new Uint8Array(32);
/** Bytes of a secret's hash that its id shows: they tell two secrets apart, and reveal nothing of 256 random bits. */
const ID_BYTES = 4;

/**
 * Returns a new random client secret as plain text, with a prefix that secret scanners know. The caller shows it once,
 * and stores only its hash.
 */
export function drawApiClientSecret(randomBytes: (length: number) => Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString("base64url");
}

/** Returns the stored form of a client secret: its SHA-256. */
export function hashApiClientSecret(clientSecret: string): Uint8Array {
  return createHash("sha256").update(clientSecret, "utf8").digest();
}

/** Returns a secret's id, for those who do not know the secret: the first eight characters of its hash. */
export function apiClientSecretId(secretHash: Uint8Array): string {
  return Buffer.from(secretHash.subarray(0, ID_BYTES)).toString("hex");
}

/**
 * Returns the id of the secret whose stored hash matches the presented secret, undefined if none does: in the same time
 * whichever it is and however many there are.
 */
export function matchingSecretId(clientSecret: string, hashes: readonly Uint8Array[]): string | undefined {
  const presented = hashApiClientSecret(clientSecret);
  let matches = 0;
  for (let index = 0; index < Math.max(MOST_LIVE_SECRETS, hashes.length); index += 1) {
    const stored = hashes[index];
    const same = timingSafeEqual(presented, stored ?? NO_HASH);
    matches += Number(same && stored !== undefined);
  }
  return matches > 0 ? apiClientSecretId(presented) : undefined;
}
