/** Bytes of a key's hash that its id shows: they tell two keys apart, and reveal nothing of 256 random bits. */
const ID_BYTES = 4;

/** The id of a key, which does not reveal it: the first eight hexadecimal characters of its SHA-256. */
export function keyIdOf(keyHash: Uint8Array): string {
  return Buffer.from(keyHash.subarray(0, ID_BYTES)).toString("hex");
}
