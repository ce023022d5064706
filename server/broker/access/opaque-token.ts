import { createHmac, hash } from "node:crypto";

/**
 * The prefixes of the broker's tokens: `ws_` widget session, `sk_` server key and `pk_` publishable key of a merchant,
 * `si_` sign-in session (or, in the demo, the key of a sign-in address), `lu_` handle of a look-up, `gc_` code of a
 * consent, `en_` enrolment link. The prefix shows a token in the wrong place at once, to secret scanners too.
 */
export type TokenPrefix = "ws_" | "sk_" | "pk_" | "si_" | "lu_" | "gc_" | "en_";

const TOKEN_BYTES = 32;
const FORM = /^(?:ws_|sk_|pk_|si_|lu_|gc_|en_)[\w-]{43}$/;

/** Draws a token: the prefix, and 256 random bits in base64url. */
export function createOpaqueToken(prefix: TokenPrefix, random: (length: number) => Uint8Array): string {
  return prefix + Buffer.from(random(TOKEN_BYTES)).toString("base64url");
}

/**
 * Derives a token from a secret key and `parts`. Only the holder of the key can make it, and make it again, so that it
 * can be answered twice without being stored. The parts are delimited by their lengths.
 */
export function deriveToken(prefix: TokenPrefix, key: Uint8Array, ...parts: readonly string[]): string {
  return prefix + deriveBytes(key, prefix, ...parts).toString("base64url");
}

/** Derives 32 bytes from a secret key: HMAC-SHA-256 over the parts, each with its length before it. */
export function deriveBytes(key: Uint8Array, ...parts: readonly string[]): Buffer {
  const mac = createHmac("sha256", key);
  for (const part of parts) mac.update(`${Buffer.byteLength(part)}:${part}`);
  return mac.digest();
}

/** Hashes a token for storage. Tokens have 256 random bits, so one plain hash is enough. */
export function hashToken(token: string): Uint8Array {
  return hash("sha256", token, "buffer");
}

/**
 * True if a text has the form of a token with any {@link TokenPrefix}: anything else is refused without asking the
 * database.
 */
export function isOpaqueToken(text: string): boolean {
  return FORM.test(text);
}
