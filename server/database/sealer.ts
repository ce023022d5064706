import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";

const PURPOSES = Object.freeze([
  "token-signing-key",
  "qr-signing-key",
  "webhook-secret",
  "upstream-secret",
  "merchant-webhook-secret",
  "code-endpoint-secret",
  "enrolment-code",
  "apn-token",
] as const);

/** The purposes of sealed values; each has a key of its own, so that nothing sealed for one opens as another. */
export type SealPurpose = (typeof PURPOSES)[number];

/** Seals what must not be readable in a dump or a replica of the database. */
export interface Sealer {
  /** Seals bytes that belong to one record; only the same purpose and name open them. */
  seal(purpose: SealPurpose, name: string, plain: Uint8Array): Uint8Array;
  /** Opens what {@link Sealer.seal} made. Throws {@link SealError}. */
  open(purpose: SealPurpose, name: string, sealed: Uint8Array): Uint8Array;
}

/** Bytes of the key in `CUPO_KEY`. */
const SERVICE_KEY_BYTES = 32;

const CIPHER = "aes-256-gcm";
/** Names the layout, so that another cipher can follow without guessing. */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES;

const WRONG_KEY =
  "The key in CUPO_KEY (or CUPO_KEY_FILE) does not open what this database keeps sealed. Start with the key that " +
  "the database was first started with; without it, what is sealed cannot be had back.";

/** Says why something sealed in the database cannot be opened, and what to do. Carries no key and no content. */
export class SealError extends Error {
  override readonly name = "SealError";
}

/**
 * Makes a sealer (AES-256-GCM; a random nonce of 12 bytes; purpose and name are authenticated) from the 32-byte
 * service key, from which each purpose's key is derived by HKDF-SHA-256 (RFC 5869).
 */
export function createSealer(key: Uint8Array, randomBytes: (length: number) => Uint8Array): Sealer {
  if (key.length !== SERVICE_KEY_BYTES) throw new SealError(`CUPO_KEY must have ${SERVICE_KEY_BYTES} bytes.`);
  const keys = Object.fromEntries(PURPOSES.map((purpose) => [purpose, deriveKey(key, purpose)])) as Readonly<
    Record<SealPurpose, Uint8Array>
  >;
  return {
    seal(purpose, name, plain) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, keys[purpose], nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(boundTo(purpose, name));
      const sealed = [Uint8Array.of(VERSION), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
      return Buffer.concat(sealed);
    },
    open(purpose, name, sealed) {
      if (sealed[0] !== VERSION || sealed.length < HEAD_BYTES + TAG_BYTES) {
        throw new SealError(`The sealed ${purpose} "${name}" in the database is damaged, or of a newer Cupo.`);
      }
      const nonce = sealed.subarray(1, HEAD_BYTES);
      const decipher = createDecipheriv(CIPHER, keys[purpose], nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(boundTo(purpose, name));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      const plain = decipher.update(sealed.subarray(HEAD_BYTES, -TAG_BYTES));
      try {
        return Buffer.concat([plain, decipher.final()]);
      } catch (cause) {
        throw new SealError(WRONG_KEY, { cause });
      }
    },
  };
}

function deriveKey(key: Uint8Array, purpose: SealPurpose): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", key, new Uint8Array(0), `cupo seal ${purpose}`, SERVICE_KEY_BYTES));
}

function boundTo(purpose: SealPurpose, name: string): Uint8Array {
  return Buffer.from(`${purpose}:${name}`, "utf8");
}
