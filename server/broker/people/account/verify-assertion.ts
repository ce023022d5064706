import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from "@simplewebauthn/server";
import { isJsonObject, type JsonObject } from "../../../../src/contract/shared/fields.ts";
import type { Sql, Tx } from "../../../database/connect.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import { accountFrozen } from "../../access/freeze-store.ts";
import { type FoundPasskey, findPasskey, markUsed, type Passkey } from "./passkey-store.ts";
import { refusedCeremony, refuseFramed, refusePasskey } from "./refuse-passkey.ts";
import { relyingParty } from "./relying-party.ts";

/**
 * A browser's answer to a challenge, and the person whose passkey it must be; without a person any passkey of this app
 * will do.
 */
export interface Assertion {
  readonly personId?: string;
  readonly challenge: Uint8Array;
  readonly credential: JsonObject;
}

/** True if the credential's user handle is there and not this person's. */
function namesAnother({ response }: JsonObject, personId: string): boolean {
  const handle = isJsonObject(response) ? response.userHandle : undefined;
  if (handle === undefined || handle === null) return false;
  return typeof handle !== "string" || Buffer.from(handle, "base64url").toString() !== personId;
}

async function findOwn(broker: Pick<BrokerContext, "sql">, { personId, credential }: Assertion): Promise<FoundPasskey> {
  const { id } = credential;
  const found = typeof id === "string" ? await findPasskey(broker.sql, Buffer.from(id, "base64url")) : undefined;
  if (found === undefined) {
    throw refusePasskey("This passkey is not known here, or was removed. Use another, or ask for a new link.");
  }
  if (personId !== undefined && found.personId !== personId) {
    throw refusePasskey("This passkey is another person's. Use one of your own.");
  }
  if (namesAnother(credential, found.personId)) {
    throw refusePasskey("This passkey says that it is another person's. Use another, or ask for a new link.");
  }
  return found;
}

/** An assertion that was checked: the passkey, and the signature counter that it reports. */
export interface CheckedAssertion {
  readonly passkey: Passkey;
  readonly counter: number;
}

/**
 * Checks an assertion (WebAuthn 3 §7.2): a live passkey of the right person, exactly this challenge, our origin and
 * host, the person verified by the device, the signature, and a counter that does not go back. Throws `passkey_copied`
 * for a counter that does, `account_frozen` while the person is frozen, and `passkey_refused` for anything else. It
 * counts only after {@link keepUse} has recorded its use.
 */
export async function checkAssertion(
  broker: Pick<BrokerContext, "sql" | "publicOrigin">,
  assertion: Assertion,
): Promise<CheckedAssertion> {
  const passkey = await findOwn(broker, assertion);
  refuseFramed(assertion.credential);
  const { id, origin } = relyingParty(broker.publicOrigin);
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    // The library checks its form, and nothing here relies on a form that it has not checked.
    response: assertion.credential as unknown as AuthenticationResponseJSON,
    expectedChallenge: Buffer.from(assertion.challenge).toString("base64url"),
    expectedOrigin: origin,
    expectedRPID: id,
    credential: {
      id: Buffer.from(passkey.credentialId).toString("base64url"),
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
    },
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw refusedCeremony(error, origin);
  });
  if (!verified) throw refusePasskey("The passkey's signature does not fit. Try again, or ask for a new link.");
  // Only now: nobody but the passkey's holder learns that the account is frozen.
  if (passkey.isSuspended) throw accountFrozen();
  return { passkey, counter: authenticationInfo.newCounter };
}

/**
 * Records the use of a passkey by a checked assertion; throws `passkey_refused` where it was removed or used meanwhile.
 */
export async function keepUse(sql: Sql | Tx, { passkey, counter }: CheckedAssertion, at: Date): Promise<Passkey> {
  const used = await markUsed(sql, passkey, counter, at);
  if (used === undefined) throw refusePasskey("The passkey was used meanwhile. Try again.");
  return used;
}

/** Checks an assertion as {@link checkAssertion} does, and records its use. The caller uses the challenge up first. */
export async function verifyAssertion(
  broker: Pick<BrokerContext, "sql" | "publicOrigin" | "clock">,
  assertion: Assertion,
): Promise<Passkey> {
  return keepUse(broker.sql, await checkAssertion(broker, assertion), broker.clock());
}
