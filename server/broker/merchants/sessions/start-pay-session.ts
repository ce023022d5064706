import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { type BrokerContext, readAmount, takeFromLimit } from "../../access/broker-context.ts";
import { deriveBytes } from "../../access/opaque-token.ts";
import type { Granted } from "../../access/policy/gate.ts";
import { principalLabel } from "../../access/principal.ts";
import type { PaySessionRow } from "../../access/widget-session-store.ts";
import {
  type SessionAttempt,
  type SessionCall,
  type SessionReply,
  startOrFind,
  storeSession,
} from "./session-attempt.ts";

/** A page may not withdraw a code. */
type Service = Granted<"publishable", "createSession"> &
  Partial<Pick<Granted<"merchant", "createSession">, "cancelTransactionQr">>;

const HOUR_SECONDS = 3_600;

/**
 * Charges a long life of a code: one more of the minute's sessions for each further hour that it lasts, so that the
 * live codes of a key are bounded, however long they last.
 */
function payForLife({ sessionLimit }: BrokerContext, { principal, body }: SessionCall): void {
  const cost = Math.ceil((body.expires_in ?? 0) / HOUR_SECONDS) - 1;
  if (cost > 0) takeFromLimit(sessionLimit, principalLabel(principal), cost);
}

/** The details of the code, which payer and fintech see: what a page sent is told apart from what is believed. */
function codeDetails({ body, principal }: SessionCall): SessionCall["body"]["details"] {
  const { details, order } = body;
  if (principal.kind === "publishable") return details && { page_details: details };
  return details ?? (order === undefined ? undefined : { order });
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
  const { amount, expires_in } = body;
  const details = codeDetails(call);
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
    ...{ amount: readAmount(broker, amount ?? 0), by_page: principal.kind === "publishable" },
    details: body.details === undefined ? null : JSON.stringify(body.details),
    return_url: body.return_url ?? null,
  });
}

/**
 * Withdraws the code of a session that another one of its order replaces, before that is made: an order never has two
 * codes to pay. Throws `qr_already_paid` where it was paid meanwhile, or is held.
 */
async function endReplaced(
  { sql, audit, hints }: BrokerContext,
  { principal, requestId }: SessionCall,
  service: Service,
  { id, reference }: PaySessionRow,
): Promise<void> {
  try {
    await service.cancelTransactionQr?.({ reference });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "qr_expired") return;
    if (error.code !== "qr_already_paid") throw error;
    const detail = `The session ${id} of this order is paid, or a payment of it is held: nothing was made.`;
    throw new ApiError("qr_already_paid", { detail, cause: error });
  }
  hints.publish(`code:${reference}`);
  await audit(sql, { requestId, principal, action: "cancel session", subject: id, outcome: "cancelled" });
}

/**
 * Starts a session of kind `pay` with a new payment code of the service, or finds the one that the order or idempotency
 * key started.
 */
export function startPaySession(broker: BrokerContext, call: SessionCall, service: Service): Promise<SessionReply> {
  return startOrFind(broker, call, service, {
    make: (attempt) => makeSession(broker, call, service, attempt),
    end: (row) => endReplaced(broker, call, service, row),
  });
}
