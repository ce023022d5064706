/** Bytes of a key's hash that its id shows: they tell two keys apart, and reveal nothing of 256 random bits. */
const ID_BYTES = 4;

/**
 * Returns the id of the key with this SHA-256 hash: the first eight hexadecimal characters of the hash, which do not
 * reveal the key.
 */
export function keyIdOf(keyHash: Uint8Array): string {
  return Buffer.from(keyHash.subarray(0, ID_BYTES)).toString("hex");
}
