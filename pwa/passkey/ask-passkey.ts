import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import type { JsonObject } from "../../src/contract/shared/fields.ts";
import { type PasskeyAnswer, passkeyAnswer } from "./passkey-answer.ts";

/**
 * Requests a passkey assertion from the person, for WebAuthn request options in JSON: to sign in, approve, prove or
 * unlock.
 */
export async function askPasskey(options: JsonObject): Promise<PasskeyAnswer> {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return passkeyAnswer(() => startAuthentication({ optionsJSON }));
}
