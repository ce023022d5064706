import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import type { JsonObject } from "../../src/contract/fields.ts";
import { type PasskeyAnswer, passkeyAnswer } from "./passkey-answer.ts";

/** Has the person show a passkey (an assertion) for the options that the broker gave: to sign in, approve or prove. */
export async function askPasskey(options: JsonObject): Promise<PasskeyAnswer> {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return passkeyAnswer(() => startAuthentication({ optionsJSON }));
}
