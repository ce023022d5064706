import type { BrokerContext } from "../../access/broker-context.ts";
import type { Granted } from "../../access/policy/gate.ts";
import type { QuotaSubject } from "./find-quota-subject.ts";
import { type SessionCall, type SessionReply, startOrFind, storeSession } from "./session-attempt.ts";
import type { TillLimits } from "./session-fields.ts";

type Service = Granted<"merchant", "createSession">;
type Fields = (TillLimits & { readonly till: string | null }) | QuotaSubject;

/** Sessions without a code last so long; a till's is renewed by its merchant's backend. */
const LIFE_SECONDS = 15 * 60;

/** Makes the id and the times of a new till or quota session, which lasts 15 minutes. */
export function newTimedSession({ clock, newId }: Pick<BrokerContext, "clock" | "newId">) {
  const createdAt = clock();
  const expiresAt = new Date(createdAt.getTime() + LIFE_SECONDS * 1000);
  return { id: newId(), created_at: createdAt, expires_at: expiresAt, expiresIn: LIFE_SECONDS };
}

/** Starts a till or quota session, which has no payment code, or finds the one that the idempotency key started. */
export function startTimedSession(
  broker: BrokerContext,
  call: SessionCall,
  service: Service,
  fields: Fields,
): Promise<SessionReply> {
  return startOrFind(broker, call, service, {
    make: (attempt) => storeSession(broker, call, attempt, { ...fields, ...newTimedSession(broker) }),
  });
}
