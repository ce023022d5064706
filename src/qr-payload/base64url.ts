const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Bytes as base64url without padding (RFC 4648 §5): the densest writing that ASCII-only EMV fields allow. */
export function toBase64Url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Reads base64url; undefined for anything that is not exactly what {@link toBase64Url} writes.
 * Spare bits that are not zero count as wrong: they would be characters that no signature protects.
 */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return toBase64Url(bytes) === text ? bytes : undefined;
}

/** A UUID as the 22 base64url characters that name the payee in a payload; undefined if it is no UUID. */
export function uuidToBase64Url(uuid: string): string | undefined {
  if (!UUID.test(uuid)) return undefined;
  const pairs = uuid.replaceAll("-", "").match(/../g) ?? [];
  return toBase64Url(Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16)));
}

/** The UUID, in small letters, that 22 base64url characters stand for; undefined if they stand for none. */
export function base64UrlToUuid(text: string): string | undefined {
  const bytes = fromBase64Url(text);
  if (bytes?.length !== 16) return undefined;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
