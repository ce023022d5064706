import type { BrokerContract } from "../../../../src/contract/broker/broker.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { Call, Reply } from "../../../../src/contract/shared/handler.ts";
import type { AnswerOf } from "../../../../src/contract/shared/operation.ts";
import type { Sql, Tx } from "../../../database/connect.ts";
import { fingerprintOf } from "../../../http/idempotency-key.ts";
import { refuseReusedKey } from "../../../shared/answer-once.ts";
import { type BrokerContext, toInstant } from "../../access/broker-context.ts";
import { hashToken } from "../../access/opaque-token.ts";
import type { Granted } from "../../access/policy/gate.ts";
import type { MerchantPrincipal, PublishablePrincipal } from "../../access/principal.ts";
import {
  extendShownUntil,
  insertionOf,
  latestOfAttempt,
  type NewWidgetSession,
  type PaySessionRow,
  type WidgetSessionRow,
  widgetToken,
} from "../../access/widget-session-store.ts";
import { codeOf } from "./code-of.ts";

type Row = BrokerContract["createSession"];
/** A call that asks for a session, by a merchant's backend or by a page of it. */
export type SessionCall = Call<Row, MerchantPrincipal | PublishablePrincipal>;
/** The answer with the session that was started or found, and its token. */
export type SessionReply = Reply<AnswerOf<Row>>;
type Service = Pick<Granted<"merchant", "createSession">, "transactionQr">;

/** While a code is in one of these states, asking again for its order gives the same session. */
const KEPT_STATES: readonly string[] = ["unpaid", "pending", "paid"];
const NONCE_BYTES = 32;
/** Racing requests for one order, of which each may find that another was first, and replace its session. */
const TRIES = 5;

/**
 * The identity of an attempt to start a session: the order or idempotency key, the generation of its session, and a
 * hash of the body.
 */
export interface SessionAttempt {
  readonly key: string | undefined;
  readonly generation: number;
  readonly fingerprint: Uint8Array;
}

/** A page's own key is ignored: all visitors are one principal, and none may find another's session. */
function attemptKeyOf({ body, idempotency, principal }: SessionCall): string | undefined {
  if (body.order !== undefined) return `order:${body.order}`;
  return idempotency === undefined || principal.kind !== "merchant" ? undefined : `key:${idempotency.key}`;
}

/** Seconds for which a session that was started before is still good; undefined when it is over. */
async function secondsLeft(
  broker: BrokerContext,
  service: Service,
  row: WidgetSessionRow,
): Promise<number | undefined> {
  if (row.kind === "pay") {
    const code = await codeOf(broker, service, row);
    return code !== undefined && KEPT_STATES.includes(code.state) ? code.expires_in : undefined;
  }
  const left = Math.floor((row.expires_at.getTime() - broker.clock().getTime()) / 1000);
  return row.ended || left <= 0 ? undefined : left;
}

async function sameSession(broker: BrokerContext, row: WidgetSessionRow, fingerprint: Uint8Array, expiresIn: number) {
  const started = `The order or idempotency key started the session ${row.id} before with other data`;
  const end = row.kind === "pay" ? ": cancel that one, or send replace with the order." : ".";
  refuseReusedKey(row.fingerprint, fingerprint, started + end);
  if (row.kind === "pay") await extendShownUntil(broker.sql, row, broker.clock());
  const shown = row.kind === "pay" ? { reference: row.reference } : { grant_id: row.grant_id };
  return sessionReply(widgetToken(broker.key, row), { ...row, ...shown }, expiresIn);
}

function sessionReply(
  token: string,
  row: Pick<NewWidgetSession, "id" | "expires_at" | "reference" | "grant_id">,
  expiresIn: number,
): SessionReply {
  return {
    body: {
      session: token,
      session_id: row.id,
      ...(row.reference && { reference: row.reference }),
      ...(row.grant_id && { grant: row.grant_id }),
      expires_at: toInstant(row.expires_at),
      expires_in: expiresIn,
    },
  };
}

/**
 * The fields of a new session that the code of its kind sets: its times, and its payment code, limits or shown user.
 */
export type KindFields = Omit<
  NewWidgetSession,
  "id" | "nonce" | "kind" | "merchant_id" | "origin" | "attempt_key" | "generation" | "fingerprint" | "token_hash"
>;

/** Dependencies of storing a session; `sql` is a transaction where something else must commit with it. */
type Storing = Pick<BrokerContext, "key" | "random" | "audit"> & { readonly sql: Sql | Tx };

/**
 * Stores a new session with its audit record, and returns the answer to the request; undefined when another request
 * with the same order or idempotency key was first.
 */
export async function storeSession(
  broker: Storing,
  call: SessionCall,
  attempt: SessionAttempt,
  made: KindFields & { readonly id: string; readonly expiresIn: number },
): Promise<SessionReply | undefined> {
  const { sql, key, random, audit } = broker;
  const { body, principal, requestId } = call;
  const { expiresIn, ...fields } = made;
  const session = {
    ...fields,
    ...{ kind: body.kind, nonce: random(NONCE_BYTES), merchant_id: principal.merchantId, origin: body.origin },
    ...{ attempt_key: attempt.key ?? null, generation: attempt.generation, fingerprint: attempt.fingerprint },
  };
  const token = widgetToken(key, session);
  const stored = { ...session, token_hash: hashToken(token) };
  const record = { action: "start session", subject: made.id, outcome: "started", facts: { kind: body.kind } };
  const isStored = await audit.beside(sql, insertionOf(sql, stored), { requestId, principal, ...record });
  return isStored && sessionReply(token, session, expiresIn);
}

/** The functions that make a new session, and end the payment session of an order that the new one replaces. */
export interface SessionMaking {
  readonly make: (attempt: SessionAttempt) => Promise<SessionReply | undefined>;
  readonly end?: (row: PaySessionRow) => Promise<void>;
}

/**
 * Answers the session that the request's order or idempotency key started before, while its code is neither expired nor
 * cancelled, or a session without a code is still live; throws `idempotency_key_reused` if that one was started with
 * another body, unless the request replaces it. Else makes a new one.
 */
export async function startOrFind(
  broker: BrokerContext,
  call: SessionCall,
  service: Service,
  { make, end }: SessionMaking,
): Promise<SessionReply> {
  const { principal } = call;
  const { replace, ...body } = call.body;
  const key = attemptKeyOf(call);
  const fingerprint = fingerprintOf(body);
  for (let number = 0; number < TRIES; number += 1) {
    const before =
      key === undefined ? undefined : await latestOfAttempt(broker.sql, principal.merchantId, key, broker.clock());
    const left = before && (await secondsLeft(broker, service, before));
    if (before !== undefined && left !== undefined) {
      const isSame = Buffer.from(before.fingerprint).equals(fingerprint);
      if (isSame || replace !== true || before.kind !== "pay" || end === undefined)
        return sameSession(broker, before, fingerprint, left);
      await end(before);
    }
    const made = await make({ key, generation: (before?.generation ?? 0) + 1, fingerprint });
    if (made !== undefined) return made;
  }
  throw new ApiError("unavailable", { retryAfter: 1 });
}
