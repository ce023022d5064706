import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { type BrokerContext, takeFromLimit } from "../../access/broker-context.ts";
import { deriveBytes } from "../../access/opaque-token.ts";
import type { Granted } from "../../access/policy/gate.ts";
import { principalLabel } from "../../access/principal.ts";
import {
  type SessionAttempt,
  type SessionCall,
  type SessionReply,
  startOrFind,
  storeSession,
} from "./session-attempt.ts";

type Service = Granted<"publishable", "createSession">;

const HOUR_SECONDS = 3_600;

/**
 * Charges a long life of a code: one more of the minute's sessions for each further hour that it lasts, so that the
 * live codes of a key are bounded, however long they last.
 */
function payForLife({ sessionLimit }: BrokerContext, { principal, body }: SessionCall): void {
  const cost = Math.ceil((body.expires_in ?? 0) / HOUR_SECONDS) - 1;
  if (cost > 0) takeFromLimit(sessionLimit, principalLabel(principal), cost);
}

async function makeSession(
  broker: BrokerContext,
  call: SessionCall,
  service: Service,
  attempt: SessionAttempt,
): Promise<SessionReply | undefined> {
  const { body, principal } = call;
  const { key, newId, clock } = broker;
  payForLife(broker, call);
  const id = newId();
  const { amount, details = body.order === undefined ? undefined : { order: body.order }, expires_in } = body;
  const secret = attempt.key === undefined ? id : `${attempt.key}\n${attempt.generation}`;
  const print = Buffer.from(attempt.fingerprint).toString("hex");
  const upstreamKey = deriveBytes(key, "createSession", principal.merchantId, secret, print).toString("base64url");
  const { body: qr } = await service.createTransactionQr(
    { amount, ...(details && { details }), ...(expires_in && { expires_in }) },
    upstreamKey,
  );
  if (qr.reference === undefined || qr.expires_at === undefined) throw new ApiError("upstream_failed");
  return storeSession(broker, call, attempt, {
    ...{ id, reference: qr.reference, order_id: body.order ?? null, created_at: clock() },
    ...{ expires_at: new Date(qr.expires_at), expiresIn: qr.expires_in ?? 0 },
  });
}

/**
 * Starts a session of kind `pay` with a new payment code of the service, or finds the one that the order or idempotency
 * key started.
 */
export function startPaySession(broker: BrokerContext, call: SessionCall, service: Service): Promise<SessionReply> {
  return startOrFind(broker, call, service, (attempt) => makeSession(broker, call, service, attempt));
}
