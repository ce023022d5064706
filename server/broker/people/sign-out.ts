import type { BrokerContext } from "../broker-context.ts";
import type { GatedHandler } from "../gate.ts";
import { endedSessionCookie } from "../principals/session-cookie.ts";

/** Ends the session, here and in the browser. */
export function signOut({ sql, signIns, audit }: BrokerContext): GatedHandler<"person" | "operator", "signOut"> {
  return async ({ principal, requestId }) => {
    await signIns.end(principal.sessionHash);
    await audit(sql, { requestId, principal, action: "sign out", outcome: "ended" });
    return { body: { signed_in: false }, headers: { "Set-Cookie": endedSessionCookie() } };
  };
}
