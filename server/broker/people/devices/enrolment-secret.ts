import { createHmac } from "node:crypto";
import { createOpaqueToken, hashToken } from "../../access/opaque-token.ts";

const CODES = 1_000_000;
const CODE_DIGITS = 6;
/** The largest multiple of {@link CODES} in 32 bits: numbers above would make some codes likelier than others. */
const FAIR = Math.floor(2 ** 32 / CODES) * CODES;

/** The two secrets of an enrolment: that of its link, and the six-digit code that is sent apart from it. */
export interface EnrolmentKeys {
  readonly secret: string;
  readonly code: string;
}

type Random = (length: number) => Uint8Array;

function createCode(random: Random): string {
  for (;;) {
    const number = Buffer.from(random(4)).readUInt32BE();
    if (number < FAIR) return String(number % CODES).padStart(CODE_DIGITS, "0");
  }
}

/** Draws the link's secret and the code of a new enrolment. */
export function createEnrolmentKeys(random: Random): EnrolmentKeys {
  return { secret: createOpaqueToken("en_", random), code: createCode(random) };
}

/**
 * Hashes an enrolment's secrets for the database; the code has too little entropy by itself, so the link's secret is
 * the key of its HMAC.
 */
export function hashEnrolmentKeys({ secret, code }: EnrolmentKeys): { secretHash: Uint8Array; codeHash: Uint8Array } {
  return { secretHash: hashToken(secret), codeHash: createHmac("sha256", secret).update(code).digest() };
}

/** Builds the link that a person opens to enrol a device; browsers send the secret after `#` to no server. */
export function enrolmentLink(origin: string, secret: string): string {
  return `${origin}/enrol#${secret}`;
}
