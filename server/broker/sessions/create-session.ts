import { hash } from "node:crypto";
import type { BrokerContract } from "../../../src/contract/broker.ts";
import { ApiError, type Fault } from "../../../src/contract/errors.ts";
import type { Call, Reply } from "../../../src/contract/handler.ts";
import type { AnswerOf } from "../../../src/contract/operation.ts";
import { canonicalJson } from "../../http/canonical-json.ts";
import { type BrokerContext, readAmount, takeFrom, toInstant } from "../broker-context.ts";
import type { Granted } from "../gate.ts";
import { merchantHasOrigin } from "../principals/merchant-keys.ts";
import { deriveBytes, hashToken } from "../principals/opaque-token.ts";
import { type MerchantPrincipal, type PublishablePrincipal, principalLabel } from "../principals/principal.ts";
import {
  insertWidgetSession,
  latestOfAttempt,
  showOn,
  type WidgetSessionRow,
  widgetToken,
} from "./widget-session-store.ts";

type Row = BrokerContract["createSession"];
type SessionCall = Call<Row, MerchantPrincipal | PublishablePrincipal>;
type Service = Granted<"merchant", "createSession">;
type SessionReply = Reply<AnswerOf<Row>>;

/** While a code is in one of these states, asking again for its order gives the same session. */
const KEPT_STATES: readonly string[] = ["unpaid", "pending", "paid"];
const NONCE_BYTES = 32;
/** Racing requests for one order, of which each may find that another was first. */
const TRIES = 3;

function refuseFaults({ body }: SessionCall): void {
  const faults: Fault[] = [];
  if (body.amount === undefined) faults.push({ pointer: "/amount", detail: "is required for kind pay" });
  if (body.max_amount !== undefined) faults.push({ pointer: "/max_amount", detail: "belongs to kind recharge" });
  if (body.user !== undefined) faults.push({ pointer: "/user", detail: "belongs to kind quota" });
  if (faults.length > 0) throw new ApiError("invalid_request", { detail: "See errors for each fault.", faults });
}

/** With the publishable key alone a page may ask for an open amount up to the merchant's limit, and for itself only. */
function refusePublishable(call: SessionCall, amount: bigint): void {
  const { body, principal, origin } = call;
  if (principal.kind === "merchant") return;
  const { openAmountLimit } = principal;
  if (openAmountLimit === undefined) {
    throw new ApiError("not_allowed", { detail: "This merchant's backend starts sessions with its server key." });
  }
  if (amount > openAmountLimit)
    throw new ApiError("not_allowed", { detail: "The amount is over the merchant's limit." });
  if (origin !== body.origin) throw new ApiError("not_allowed", { detail: "origin must be that of the page itself." });
}

/** Whatever a page asks for is kept apart from the merchant's own orders: it may not be the first to name one. */
function attemptKeyOf({ body, idempotency, principal }: SessionCall): string | undefined {
  const asker = principal.kind === "merchant" ? "" : "page:";
  if (body.order !== undefined) return `${asker}order:${body.order}`;
  return idempotency === undefined ? undefined : `${asker}key:${idempotency.key}`;
}

async function sameSession(broker: BrokerContext, row: WidgetSessionRow, fingerprint: Uint8Array, expiresIn: number) {
  if (Buffer.compare(row.fingerprint, fingerprint) !== 0) {
    throw new ApiError("idempotency_key_reused", { detail: "The order was started before with other data." });
  }
  await showOn(broker.sql, row, broker.clock());
  return sessionReply(broker, row, expiresIn);
}

function sessionReply(broker: BrokerContext, row: WidgetSessionRow, expiresIn: number): SessionReply {
  return {
    body: {
      session: widgetToken(broker.key, row),
      session_id: row.id,
      reference: row.reference,
      expires_at: toInstant(row.expires_at),
      expires_in: expiresIn,
    },
  };
}

interface Attempt {
  readonly key: string | undefined;
  readonly generation: number;
  readonly fingerprint: Uint8Array;
}

async function makeSession(
  broker: BrokerContext,
  call: SessionCall,
  service: Service,
  attempt: Attempt,
): Promise<SessionReply | undefined> {
  const { body, principal, requestId } = call;
  const { sql, key, newId, random, clock, audit } = broker;
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
  const session = {
    ...{ id, nonce: random(NONCE_BYTES), merchant_id: principal.merchantId, origin: body.origin },
    ...{ order_id: body.order ?? null, attempt_key: attempt.key ?? null, generation: attempt.generation },
    ...{ fingerprint: attempt.fingerprint, reference: qr.reference, expires_at: new Date(qr.expires_at) },
    created_at: clock(),
  };
  const stored = { ...session, token_hash: hashToken(widgetToken(key, session)) };
  if (!(await insertWidgetSession(sql, stored))) return undefined;
  await audit(sql, { requestId, principal, action: "start session", subject: id, outcome: "started" });
  return sessionReply(broker, session, qr.expires_in ?? 0);
}

async function startOrFind(broker: BrokerContext, call: SessionCall, service: Service): Promise<SessionReply> {
  const { body, principal } = call;
  const key = attemptKeyOf(call);
  const fingerprint = hash("sha256", canonicalJson(body), "buffer");
  for (let number = 0; number < TRIES; number += 1) {
    const before = key === undefined ? undefined : await latestOfAttempt(broker.sql, principal.merchantId, key);
    if (before !== undefined) {
      const { body: code } = await service.transactionQr({ reference: before.reference });
      if (KEPT_STATES.includes(code.state)) return sameSession(broker, before, fingerprint, code.expires_in);
    }
    const generation = (before?.generation ?? 0) + 1;
    const made = await makeSession(broker, call, service, { key, generation, fingerprint });
    if (made !== undefined) return made;
  }
  throw new ApiError("unavailable", { retryAfter: 1 });
}

/** Starts a widget session of kind `pay`, or finds the one that the order has. */
export function createSession(broker: BrokerContext) {
  return async (call: SessionCall, service: Service): Promise<SessionReply> => {
    const { body, principal } = call;
    if (body.kind !== "pay") throw new ApiError("not_implemented");
    refuseFaults(call);
    takeFrom(broker.sessionLimit, principalLabel(principal));
    refusePublishable(call, readAmount(broker, body.amount ?? 0));
    if (!(await merchantHasOrigin(broker.sql, principal.merchantId, body.origin))) {
      throw new ApiError("not_allowed", { detail: "origin is not among those that the merchant listed." });
    }
    return startOrFind(broker, call, service);
  };
}
