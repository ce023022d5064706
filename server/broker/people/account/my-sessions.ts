import type { Proof } from "../../../../src/contract/broker/passkeys.ts";
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
import { type ProvingCall, requireProof } from "./require-proof.ts";

/** A call to end sessions, with the proof that it brought. */
type EndCall = ProvingCall & { readonly body: { readonly proof?: Proof | undefined } };

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
 * Requires a proof for ending other sessions, by a device that may shut each other's out: a copy of a session must not
 * keep the owner from signing in and freezing the account.
 */
async function prove(broker: BrokerContext, call: EndCall, sessions: readonly ListedSession[]): Promise<void> {
  const { principal, body } = call;
  const asking = (await requireProof(broker, call, "end_session", body.proof))?.id ?? principal.passkeyId ?? null;
  const others = sessions.filter(({ passkeyId }) => passkeyId !== asking);
  if (others.length === 0) return;
  const [now, devices] = [broker.clock(), await livePasskeys(broker.sql, principal.personId)];
  const deviceOf = (passkeyId: string | null) => devices.find(({ id }) => id === passkeyId);
  const by = deviceOf(asking);
  const isNew = principal.mayPayFrom !== undefined || (by !== undefined && by.mayPayFrom > now);
  const isOlder = ({ passkeyId }: ListedSession): boolean => {
    const other = deviceOf(passkeyId);
    return other !== undefined && mayNotRemoveOlder(other, by, now);
  };
  if (!isNew && !others.some(isOlder)) return;
  throw new ApiError("device_too_new", {
    detail: "A device ends no session of an older one in its first day, and none of another until it may pay.",
  });
}

/**
 * Ends sessions of the person in one transaction; returns how many had not ended before. Those of others are told to
 * the person's other browsers.
 */
async function end(
  broker: BrokerContext,
  { principal, requestId }: ProvingCall,
  sessions: readonly ListedSession[],
): Promise<number> {
  const { sql, audit, clock, hints, newId, push } = broker;
  const { personId, sessionHash } = principal;
  const isTold = sessions.some((session) => !isOf(principal, session));
  const ended = await sql.begin("isolation level read committed", async (tx) => {
    // Of two sessions that end each other at once, one stays.
    await holdPerson(broker, tx, principal);
    const now = clock();
    let count = 0;
    for (const session of sessions) {
      if (!(await endSession(tx, session.sessionHash, now))) continue;
      await audit(tx, { requestId, principal, action: "end session", subject: session.id, outcome: "ended" });
      count += 1;
    }
    if (isTold && count > 0) {
      await keepAccountChange(tx, { id: newId(), personId, kind: "session_ended", sessionHash, now });
    }
    return count;
  });
  if (ended === 0) return 0;
  if (isTold) push.notifyOfChanges(personId);
  // Pages that wait in those sessions ask again, and learn that they are over.
  hints.publish(`user:${principal.userId}`);
  return ended;
}

/** Ends one of the person's sign-in sessions: the session of the call at once, another one on a proof. */
export function endMySession(broker: BrokerContext): GatedHandler<"person", "endMySession"> {
  const { signIns, guardLimit } = broker;
  return async (call) => {
    const { principal, params } = call;
    takeFromPersonLimit(guardLimit, principal, "end session");
    const session = (await signIns.list(principal.personId)).find(({ id }) => id === params.id);
    if (session === undefined) throw notFound();
    const isOwn = isOf(principal, session);
    if (!isOwn) await prove(broker, call, [session]);
    if ((await end(broker, call, [session])) === 0) throw notFound();
    return { body: { ended: true }, ...(isOwn ? { headers: { "Set-Cookie": endedSessionCookie(broker) } } : {}) };
  };
}

/** Ends all of the person's sign-in sessions but the session of the call, on a proof. */
export function endMyOtherSessions(broker: BrokerContext): GatedHandler<"person", "endMyOtherSessions"> {
  const { signIns, guardLimit } = broker;
  return async (call) => {
    const { principal } = call;
    takeFromPersonLimit(guardLimit, principal, "end session");
    const others = (await signIns.list(principal.personId)).filter((session) => !isOf(principal, session));
    await prove(broker, call, others);
    return { body: { ended: await end(broker, call, others) } };
  };
}
