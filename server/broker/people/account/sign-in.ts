import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { JsonObject } from "../../../../src/contract/shared/fields.ts";
import { addressKey } from "../../../http/client-address.ts";
import { type BrokerContext, takeFromLimit } from "../../access/broker-context.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import { sessionCookie } from "../../access/session-cookie.ts";
import { consumeChallenge, createChallenge } from "./challenge-store.ts";
import { answeredChallenge } from "./client-data.ts";
import type { Passkey } from "./passkey-store.ts";
import { refusePasskey } from "./refuse-passkey.ts";
import { requestOptions } from "./request-options.ts";
import { verifyAssertion } from "./verify-assertion.ts";

const CHALLENGE_LIFE_MS = 5 * 60_000;

/** Issues a challenge that any passkey of this app may answer: no user name is asked for, and none is disclosed. */
export function startSignIn(broker: BrokerContext): GatedHandler<"visitor", "startSignIn"> {
  return async ({ address }) => {
    takeFromLimit(broker.signInLimit, `start:${addressKey(address)}`);
    const { challenge } = await createChallenge(broker, { purpose: "sign_in", lifeMs: CHALLENGE_LIFE_MS });
    return { body: { options: await requestOptions(broker, { challenge }) } };
  };
}

/** Uses the challenge up before any other check, so that an assertion that was seen cannot be replayed. */
async function answered(broker: BrokerContext, credential: JsonObject): Promise<Passkey> {
  const said = answeredChallenge(credential);
  const used = said && { purpose: "sign_in" as const, challenge: said };
  const known = used && (await consumeChallenge(broker.sql, used, broker.clock()));
  if (known === undefined) {
    throw refusePasskey("This sign-in is over or was answered before. Start again and use your passkey anew.");
  }
  return verifyAssertion(broker, { challenge: known.challenge, credential });
}

/** Signs in the owner of the passkey that answers, person or operator, and ends the browser's earlier session. */
export function signIn(broker: BrokerContext): GatedHandler<"visitor", "signIn"> {
  const { sql, audit, signIns, signInLimit, refusalLimit } = broker;
  return async ({ principal, body, requestId, address }) => {
    takeFromLimit(signInLimit, addressKey(address));
    const about = { requestId, principal, action: "sign in" };
    const passkey = await answered(broker, body.credential).catch(async (error: unknown) => {
      const isKept = error instanceof ApiError && refusalLimit.take(`sign-in:${addressKey(address)}`).allowed;
      if (isKept) await audit(sql, { ...about, outcome: "refused" });
      throw error;
    });
    const { id: passkeyId, personId } = passkey;
    takeFromLimit(signInLimit, `passkey:${passkeyId}`);
    const token = await signIns.start(personId, principal.sessionHash, { passkeyId, browser: principal.browser });
    await audit(sql, { ...about, subject: personId, outcome: "signed in", facts: { passkey_id: passkeyId } });
    return { body: { signed_in: true }, headers: { "Set-Cookie": sessionCookie(broker, token) } };
  };
}
