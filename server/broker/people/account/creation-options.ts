import { type AuthenticatorTransport, generateRegistrationOptions } from "@simplewebauthn/server";
import type { JsonObject } from "../../../../src/contract/shared/fields.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import { livePasskeys } from "./passkey-store.ts";
import { relyingParty } from "./relying-party.ts";
import { ALGORITHMS } from "./verify-registration.ts";

const TIMEOUT_MS = 300_000;

/** The person for whom a passkey is made, and the challenge of its registration. */
export interface CreationRequest {
  readonly personId: string;
  readonly name: string;
  readonly challenge: Uint8Array;
}

/**
 * Makes a browser's options for a new passkey, as `PublicKeyCredentialCreationOptionsJSON` (WebAuthn 3): discoverable,
 * with user verification, and on none of the devices that the person has already.
 */
export async function creationOptions(
  { sql, publicOrigin }: Pick<BrokerContext, "sql" | "publicOrigin">,
  { personId, name, challenge }: CreationRequest,
): Promise<JsonObject> {
  const passkeys = await livePasskeys(sql, personId);
  const options = await generateRegistrationOptions({
    rpName: "Cupo",
    rpID: relyingParty(publicOrigin).id,
    userID: new Uint8Array(Buffer.from(personId)),
    userName: name,
    userDisplayName: name,
    challenge: new Uint8Array(challenge),
    timeout: TIMEOUT_MS,
    attestationType: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    excludeCredentials: passkeys.map(({ credentialId, transports }) => ({
      id: Buffer.from(credentialId).toString("base64url"),
      transports: transports as AuthenticatorTransport[],
    })),
    supportedAlgorithmIDs: [...ALGORITHMS],
  });
  return { ...options };
}
