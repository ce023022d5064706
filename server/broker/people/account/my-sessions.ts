import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { type BrokerContext, takeFromPersonLimit, toInstant } from "../../access/broker-context.ts";
import { holdPerson } from "../../access/hold-person.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import type { PersonPrincipal } from "../../access/principal.ts";
import { endedSessionCookie } from "../../access/session-cookie.ts";
import { endSession, type ListedSession } from "../../access/sign-in-sessions.ts";
import { keepAccountChange } from "./account-change-store.ts";
import { mayNotRemoveOlder } from "./first-day.ts";
import { livePasskeys } from "./passkey-store.ts";
import { requireProof } from "./require-proof.ts";

type EndCall = Parameters<GatedHandler<"person", "endMySession">>[0];

function isOf(principal: PersonPrincipal, { sessionHash }: ListedSession): boolean {
  return Buffer.compare(sessionHash, principal.sessionHash) === 0;
}

/** Lists the person's live sign-in sessions. */
export function mySessions({ signIns }: BrokerContext): GatedHandler<"person", "mySessions"> {
  return async ({ principal }) => {
    const sessions = await signIns.list(principal.personId);
    return {
      body: sessions.map((session) => ({
        ...{ id: session.id, browser: session.browser },
        ...(session.device === null ? {} : { device: session.device }),
        created_at: toInstant(session.createdAt),
        last_active_at: toInstant(session.lastActiveAt),
        current: isOf(principal, session),
      })),
    };
  };
}

function notFound(): ApiError {
  return new ApiError("not_found", { detail: "You are signed in nowhere under this id." });
}

/**
 * Requires a proof for ending another session, by a device that may shut the other's out: a copy of a session must not
 * keep the owner from signing in and freezing the account.
 */
async function prove(broker: BrokerContext, call: EndCall, session: ListedSession): Promise<void> {
  const { principal, body } = call;
  const asking = (await requireProof(broker, call, "end_session", body.proof))?.id ?? principal.passkeyId ?? null;
  if (asking === session.passkeyId) return;
  const [now, devices] = [broker.clock(), await livePasskeys(broker.sql, principal.personId)];
  const [by, other] = [asking, session.passkeyId].map((id) => devices.find((device) => device.id === id));
  const isNew = principal.mayPayFrom !== undefined || (by !== undefined && by.mayPayFrom > now);
  if (!isNew && !(other !== undefined && mayNotRemoveOlder(other, by, now))) return;
  throw new ApiError("device_too_new", {
    detail: "A device ends no session of an older one in its first day, and none of another until it may pay.",
  });
}

/** Ends one of the person's sign-in sessions: the session of the call at once, another one on a proof. */
export function endMySession(broker: BrokerContext): GatedHandler<"person", "endMySession"> {
  const { sql, signIns, audit, clock, hints, newId, push, guardLimit } = broker;
  return async (call) => {
    const { principal, params, requestId } = call;
    const { id } = params;
    const { personId, sessionHash } = principal;
    takeFromPersonLimit(guardLimit, principal, "end session");
    const session = (await signIns.list(personId)).find((one) => one.id === id);
    if (session === undefined) throw notFound();
    const isOwn = isOf(principal, session);
    if (!isOwn) await prove(broker, call, session);
    await sql.begin("isolation level read committed", async (tx) => {
      // Of two sessions that end each other at once, one stays.
      await holdPerson(broker, tx, principal);
      const now = clock();
      if (!(await endSession(tx, session.sessionHash, now))) throw notFound();
      await audit(tx, { requestId, principal, action: "end session", subject: id, outcome: "ended" });
      if (isOwn) return;
      await keepAccountChange(tx, { id: newId(), personId, kind: "session_ended", sessionHash, now });
    });
    if (!isOwn) push.notifyOfChanges(personId);
    // Pages that wait in that session ask again, and learn that it is over.
    hints.publish(`user:${principal.userId}`);
    return { body: { ended: true }, ...(isOwn ? { headers: { "Set-Cookie": endedSessionCookie(broker) } } : {}) };
  };
}
