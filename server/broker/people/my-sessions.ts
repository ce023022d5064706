import { ApiError } from "../../../src/contract/errors.ts";
import { type BrokerContext, toInstant } from "../broker-context.ts";
import type { GatedHandler } from "../gate.ts";
import { endedSessionCookie } from "../principals/session-cookie.ts";

/** Lists where the person is signed in. */
export function mySessions({ signIns }: BrokerContext): GatedHandler<"person", "mySessions"> {
  return async ({ principal }) => {
    const sessions = await signIns.list(principal.personId);
    return {
      body: sessions.map(({ id, browser, device, createdAt, lastActiveAt, sessionHash }) => ({
        ...{ id, browser: browser ?? null },
        ...(device === undefined ? {} : { device }),
        created_at: toInstant(createdAt),
        last_active_at: toInstant(lastActiveAt),
        current: Buffer.compare(sessionHash, principal.sessionHash) === 0,
      })),
    };
  };
}

/** Ends one of the person's sessions, wherever it is. */
export function endMySession(broker: BrokerContext): GatedHandler<"person", "endMySession"> {
  const { sql, signIns, audit, hints } = broker;
  return async ({ principal, params: { id }, requestId }) => {
    const ended = await signIns.endOwn(principal.personId, id);
    if (ended === undefined) throw new ApiError("not_found", { detail: "You are signed in nowhere under this id." });
    await audit(sql, { requestId, principal, action: "end session", subject: id, outcome: "ended" });
    // Whoever waits in that session asks again, and hears that it is over.
    hints.publish(`user:${principal.userId}`);
    const isOwn = Buffer.compare(ended, principal.sessionHash) === 0;
    return { body: { ended: true }, ...(isOwn ? { headers: { "Set-Cookie": endedSessionCookie() } } : {}) };
  };
}
