import type { JsonObject } from "../../src/contract/shared/fields.ts";

/** The request that an assertion has to match for it to open the lock. */
export interface UnlockQuestion {
  /** As it was asked, in base64url. */
  readonly challenge: string;
  readonly origin: string;
  /** The passkey that was asked for, where one is known. */
  readonly passkeyId: string | undefined;
}

/** Offset of the flags in the authenticator data, after the hash of the RP ID (WebAuthn 3, 6.1). */
const FLAGS_AT = 32;
const USER_VERIFIED = 0x04;

function bytesOf(base64url: unknown): Uint8Array {
  if (typeof base64url !== "string") return new Uint8Array();
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/**
 * True if an assertion shows that the person is there: for this challenge, from this origin, of this passkey, with the
 * user verified. Its signature is not checked: the lock guards a screen, on a device that could as well show it without
 * asking. Payments take an assertion of their own, which the broker verifies.
 */
export function unlocks({ id, response }: JsonObject, { challenge, origin, passkeyId }: UnlockQuestion): boolean {
  const { authenticatorData, clientDataJSON } = response as Readonly<Record<string, unknown>>;
  const client = JSON.parse(new TextDecoder().decode(bytesOf(clientDataJSON))) as Readonly<Record<string, unknown>>;
  const flags = bytesOf(authenticatorData)[FLAGS_AT] ?? 0;
  return (
    client.challenge === challenge &&
    client.origin === origin &&
    (passkeyId === undefined || id === passkeyId) &&
    (flags & USER_VERIFIED) !== 0
  );
}
