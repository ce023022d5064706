import type { BrokerContext } from "../../access/broker-context.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import { endedSessionCookie } from "../../access/session-cookie.ts";

/** Ends the sign-in session, and has the browser delete its cookie. */
export function signOut(broker: BrokerContext): GatedHandler<"person" | "operator", "signOut"> {
  const { sql, signIns, audit } = broker;
  return async ({ principal, requestId }) => {
    await signIns.end(principal.sessionHash);
    await audit(sql, { requestId, principal, action: "sign out", outcome: "ended" });
    return { body: { signed_in: false }, headers: { "Set-Cookie": endedSessionCookie(broker) } };
  };
}
