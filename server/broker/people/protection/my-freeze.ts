import type { BrokerContext } from "../../access/broker-context.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import { endedSessionCookie } from "../../access/session-cookie.ts";
import type { BlockFollower } from "./follow-blocks.ts";
import { freezeUser } from "./freeze-user.ts";

/**
 * Freezes the person's own account. A session is enough, without the passkey: a freeze can be undone, and whoever lost
 * a phone may have nothing else at hand.
 */
export function freezeMe(broker: BrokerContext, blocks: BlockFollower): GatedHandler<"person", "freezeMe"> {
  const { sql, clock, newId, audit, hints, push } = broker;
  return async ({ principal, requestId }) => {
    const { userId, personId, sessionHash } = principal;
    await sql.begin("isolation level read committed", async (tx) => {
      const { isChanged } = await freezeUser(tx, { userId, newId, now: clock(), sessionHash }, "person");
      const outcome = isChanged ? "frozen" : "unchanged";
      await audit(tx, { requestId, principal, action: "freeze person", subject: personId, outcome });
    });
    push.notifyOfChanges(personId);
    hints.publish(`ended:${userId}`, `user:${userId}`);
    void blocks.follow(userId);
    return { body: { frozen: true }, headers: { "Set-Cookie": endedSessionCookie(broker) } };
  };
}
