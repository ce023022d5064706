import { createECDH } from "node:crypto";
import { deriveBytes } from "../../access/opaque-token.ts";

/** The key pair that push services know this server by (RFC 8292 §2): P-256, both parts as base64url. */
export interface PushKeys {
  /** The uncompressed point, 65 bytes; browsers subscribe with it. */
  readonly publicKey: string;
  /** The scalar, 32 bytes. */
  readonly privateKey: string;
}

/**
 * Derives the key pair of push messages from the broker's key, so that every process has the same one and none is
 * stored.
 */
export function pushKeys(key: Uint8Array): PushKeys {
  const pair = createECDH("prime256v1");
  const scalar = deriveBytes(key, "web push");
  pair.setPrivateKey(scalar);
  return { publicKey: pair.getPublicKey("base64url"), privateKey: scalar.toString("base64url") };
}
