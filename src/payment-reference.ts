/** Crockford's base32: digits and capitals without I, L, O and U, which people confuse with others. */
export const CROCKFORD_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const RANDOM_CHARACTERS = 12;
const REFERENCE = /^[0-9A-HJKMNP-TV-Z]{13}$/;
const MAX_TYPED_LENGTH = 64;

/** x⁵ + x² + 1, which makes x a generator of GF(2⁵): its powers 0 to 12 differ, so every transposition shows. */
const POLYNOMIAL = 0b100101;

/** Why a typed text is no reference: `mistyped` has the right shape and a wrong check character, `malformed` not. */
type PaymentReferenceFault = "mistyped" | "malformed";

/** The result of reading a typed reference: the 13 bare characters, or the fault of the text. */
export type ParsedPaymentReference = { ok: true; reference: string } | { ok: false; fault: PaymentReferenceFault };

/**
 * Makes a new reference, 12 random characters (60 bits) and their check character; `random` returns as many random
 * bytes as its argument says.
 */
export function createPaymentReference(random: (byteCount: number) => Uint8Array): string {
  const bytes = random(RANDOM_CHARACTERS);
  if (bytes.length !== RANDOM_CHARACTERS)
    throw new RangeError(`the random source must give ${RANDOM_CHARACTERS} bytes`);
  let body = "";
  for (const byte of bytes) body += CROCKFORD_ALPHABET.charAt(byte % 32);
  return body + checkCharacter(body);
}

/** Writes a bare reference as people see it: `7K3M-9QXT-2V4F-W`. */
export function formatPaymentReference(reference: string): string {
  if (!REFERENCE.test(reference)) throw new RangeError("a reference has 13 Crockford base32 characters");
  return [reference.slice(0, 4), reference.slice(4, 8), reference.slice(8, 12), reference.slice(12)].join("-");
}

/** Reads a reference as people type it: with hyphens or spaces, in either case, I and L for 1, O for 0. */
export function parsePaymentReference(text: string): ParsedPaymentReference {
  if (text.length > MAX_TYPED_LENGTH) return { ok: false, fault: "malformed" };
  const bare = text.replace(/[\s\u2010-\u2015-]/g, "");
  if (!/^[0-9A-Za-z]{13}$/.test(bare)) return { ok: false, fault: "malformed" };
  const reference = bare.toUpperCase().replace(/[IL]/g, "1").replace(/O/g, "0");
  if (!REFERENCE.test(reference)) return { ok: false, fault: "malformed" };
  const body = reference.slice(0, RANDOM_CHARACTERS);
  if (checkCharacter(body) !== reference.charAt(RANDOM_CHARACTERS)) return { ok: false, fault: "mistyped" };
  return { ok: true, reference };
}

/** Σ xⁱ·vᵢ for i = 1 … 12, by Horner's rule from the last character. */
function checkCharacter(body: string): string {
  let sum = 0;
  for (let index = body.length - 1; index >= 0; index--) {
    sum = timesX(sum ^ CROCKFORD_ALPHABET.indexOf(body.charAt(index)));
  }
  return CROCKFORD_ALPHABET.charAt(sum);
}

function timesX(value: number): number {
  const shifted = value << 1;
  return shifted & 0b100000 ? shifted ^ POLYNOMIAL : shifted;
}
