import { type RegistrationResponseJSON, verifyRegistrationResponse } from "@simplewebauthn/server";
import { isJsonObject, type JsonObject } from "../../../../src/contract/shared/fields.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import { refusedCeremony, refuseFramed, refusePasskey } from "./refuse-passkey.ts";
import { relyingParty } from "./relying-party.ts";

/**
 * The COSE algorithms of new passkeys, preferred first: Ed25519, ES256 and RS256 (RFC 9053, RFC 8812), those of today's
 * authenticators.
 */
export const ALGORITHMS: readonly number[] = Object.freeze([-8, -7, -257]);

/** As the browser's list has them (WebAuthn 3 §5.8.4); others are of no use to it later. */
const TRANSPORTS: readonly string[] = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"];

/** The longest id that a credential may have (WebAuthn 3 §7.1); a much longer one fits no index. */
const MOST_ID_BYTES = 1023;

/** The fields of a verified registration that are stored as a passkey. */
export interface NewCredential {
  readonly credentialId: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** A browser's answer to creation options with this challenge. */
export interface PasskeyRegistration {
  readonly challenge: Uint8Array;
  readonly credential: JsonObject;
}

function transportsOf({ response }: JsonObject): readonly string[] {
  const said = isJsonObject(response) ? response.transports : undefined;
  return Array.isArray(said) ? TRANSPORTS.filter((known) => said.includes(known)) : [];
}

/**
 * Checks a registration (WebAuthn 3 §7.1): this challenge, our origin and host, the person verified by the device.
 * Throws `passkey_refused`.
 */
export async function verifyRegistration(
  { publicOrigin }: Pick<BrokerContext, "publicOrigin">,
  { challenge, credential }: PasskeyRegistration,
): Promise<NewCredential> {
  refuseFramed(credential);
  const { id: host, origin } = relyingParty(publicOrigin);
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    // The library checks its form, and nothing here relies on a form that it has not checked.
    response: credential as unknown as RegistrationResponseJSON,
    expectedChallenge: Buffer.from(challenge).toString("base64url"),
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: true,
    supportedAlgorithmIDs: [...ALGORITHMS],
  }).catch((error: unknown) => {
    throw refusedCeremony(error, origin);
  });
  if (!verified) throw refusePasskey("The device's answer does not fit. Try again, or use another device.");
  const { id, publicKey, counter } = registrationInfo.credential;
  const credentialId = Buffer.from(id, "base64url");
  if (credentialId.length > MOST_ID_BYTES) throw refusePasskey("The device's answer does not fit. Use another device.");
  return { credentialId, publicKey, counter, transports: transportsOf(credential) };
}
