import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/browser";
import type { JsonObject } from "../../src/contract/shared/fields.ts";
import { type PasskeyAnswer, passkeyAnswer } from "./passkey-answer.ts";

/** Creates a passkey on this device for the broker's options at an enrolment. */
export async function makePasskey(options: JsonObject): Promise<PasskeyAnswer> {
  const { startRegistration } = await import("@simplewebauthn/browser");
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return passkeyAnswer(() => startRegistration({ optionsJSON }));
}
