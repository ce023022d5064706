import { type AuthenticatorTransport, generateAuthenticationOptions } from "@simplewebauthn/server";
import type { JsonObject } from "../../../../src/contract/shared/fields.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import { livePasskeys } from "./passkey-store.ts";
import { relyingParty } from "./relying-party.ts";

/** How long a browser may wait for the person. */
const TIMEOUT_MS = 120_000;

/** The challenge of an assertion, and the person who must answer it; without a person any passkey of this app may. */
export interface AssertionRequest {
  readonly personId?: string;
  readonly challenge: Uint8Array;
}

/** Makes a browser's options for an assertion, as `PublicKeyCredentialRequestOptionsJSON` (WebAuthn 3). */
export async function requestOptions(
  { sql, publicOrigin }: Pick<BrokerContext, "sql" | "publicOrigin">,
  { personId, challenge }: AssertionRequest,
): Promise<JsonObject> {
  const passkeys = personId === undefined ? [] : await livePasskeys(sql, personId);
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(publicOrigin).id,
    challenge: new Uint8Array(challenge),
    allowCredentials: passkeys.map(({ credentialId, transports }) => ({
      id: Buffer.from(credentialId).toString("base64url"),
      transports: transports as AuthenticatorTransport[],
    })),
    timeout: TIMEOUT_MS,
    userVerification: "required",
  });
  return { ...options };
}
