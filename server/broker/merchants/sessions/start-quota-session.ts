import type { BrokerContext } from "../../access/broker-context.ts";
import { endCode, lockByCode } from "../../access/consent-store.ts";
import { hashToken, isOpaqueToken } from "../../access/opaque-token.ts";
import type { Granted } from "../../access/policy/gate.ts";
import { latestOfAttempt } from "../../access/widget-session-store.ts";
import { findQuotaSubject, refusedConsent } from "./find-quota-subject.ts";
import {
  type SessionAttempt,
  type SessionCall,
  type SessionReply,
  startOrFind,
  storeSession,
} from "./session-attempt.ts";
import { newTimedSession, startTimedSession } from "./start-timed-session.ts";

type Service = Granted<"merchant", "createSession">;

/** True if a copy of this request, which waited for the same code no longer than this one, has its session by now. */
async function wasStarted(
  { sql, clock }: BrokerContext,
  { principal }: SessionCall,
  attempt: SessionAttempt,
): Promise<boolean> {
  if (attempt.key === undefined) return false;
  const latest = await latestOfAttempt(sql, principal.merchantId, attempt.key, clock());
  return (latest?.generation ?? 0) >= attempt.generation;
}

/** Uses the code up and stores the session, or does neither. */
async function useCode(
  broker: BrokerContext,
  call: SessionCall,
  attempt: SessionAttempt,
  code: string,
): Promise<SessionReply | undefined> {
  const { merchantId } = call.principal;
  const at = broker.clock();
  return broker.sql.begin(async (tx) => {
    const grant = await lockByCode(tx, merchantId, { hash: hashToken(code), at });
    if (grant === undefined) return undefined;
    const subject = { subject_user_id: grant.user_id, grant_id: grant.id };
    const made = { ...subject, ...newTimedSession(broker) };
    const reply = await storeSession({ ...broker, sql: tx }, call, attempt, made);
    if (reply !== undefined) await endCode(tx, grant.id, at);
    return reply;
  });
}

/**
 * Starts a session that shows a user's quota, or finds the one that the idempotency key started. The body names the
 * user, or a grant by its id or by its code, which is used up.
 */
export async function startQuotaSession(
  broker: BrokerContext,
  call: SessionCall,
  service: Service,
): Promise<SessionReply> {
  const { grant: code } = call.body;
  if (code === undefined || !isOpaqueToken(code)) {
    const subject = await findQuotaSubject(broker, call.principal, call.body, service);
    return startTimedSession(broker, call, service, subject);
  }
  const make = async (attempt: SessionAttempt) => {
    const started = await useCode(broker, call, attempt, code);
    if (started === undefined && !(await wasStarted(broker, call, attempt))) throw refusedConsent();
    return started;
  };
  return startOrFind(broker, call, service, { make });
}
