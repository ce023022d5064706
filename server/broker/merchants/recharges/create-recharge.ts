import type { BrokerContract } from "../../../../src/contract/broker/broker.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { Call } from "../../../../src/contract/shared/handler.ts";
import type { Sql, Tx } from "../../../database/connect.ts";
import { refuseReusedKey } from "../../../shared/answer-once.ts";
import { type BrokerContext, readAmount, takeFromLimit } from "../../access/broker-context.ts";
import { lockPayer } from "../../access/hold-person.ts";
import { hashToken } from "../../access/opaque-token.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import type { RechargeSessionPrincipal } from "../../access/principal.ts";
import { holdWidgetSession } from "../../access/widget-tokens.ts";
import { withinTime } from "../../access/within-time.ts";
import { askerOf } from "../../people/look-ups/look-up.ts";
import { findHandle, type KnownHandle } from "../../people/look-ups/look-up-store.ts";
import { sellerLimits } from "../../people/protection/limits-of.ts";
import { refuseAbove } from "../../people/protection/refuse-over-limit.ts";
import { rechargeAnswer } from "./recharge-answer.ts";
import { type AttemptKey, findOfAttempt, insertRecharge, type RechargeRow } from "./recharge-store.ts";
import { type RechargeReconciler, tillOf } from "./reconcile-recharges.ts";
import { findRefusal, keepRefusal } from "./refused-recharge.ts";
import { tillLimits } from "./till-limits.ts";

type RechargeCall = Call<BrokerContract["createRecharge"], RechargeSessionPrincipal>;

/** How long a request waits for the outcome; after that the answer is `running`, and the sale goes on without it. */
const SELL_WAIT_MS = 8_000;
const ANOTHER_SALE = "The key was used for another sale: send a new one.";

interface Attempt extends AttemptKey {
  readonly fingerprint: Uint8Array;
}

/** Requires an idempotency key: without one a retry would sell again. */
function attemptOf({ principal, idempotency }: RechargeCall): Attempt {
  if (idempotency === undefined) {
    const faults = [{ parameter: "Idempotency-Key", detail: "is required: send one of your own for each sale" }];
    throw new ApiError("invalid_request", { detail: "See errors for each fault.", faults });
  }
  return { ...idempotency, merchantId: principal.merchantId };
}

/** Finds the sale of an attempt, if there is one; throws the attempt's refusal, if it was refused. */
async function findDecided(sql: Sql | Tx, attempt: Attempt): Promise<RechargeRow | undefined> {
  const row = await findOfAttempt(sql, attempt);
  const refused = row === undefined ? await findRefusal(sql, attempt) : undefined;
  const known = row ?? refused;
  if (known !== undefined) refuseReusedKey(known.fingerprint, attempt.fingerprint, ANOTHER_SALE);
  if (refused !== undefined) throw refused.refusal;
  return row;
}

/** Finds the look-up of a handle, which may have expired. */
async function lookUpOf(tx: Tx, { principal, body }: RechargeCall, at: Date): Promise<KnownHandle> {
  const lookUp = await findHandle(tx, { ...askerOf(principal), at }, hashToken(body.handle));
  if (lookUp !== undefined) return lookUp;
  throw new ApiError("not_found", { detail: "No look-up of this merchant gave that handle: look the person up." });
}

function refuseReceiver({ is_good: isGood, user_id: userId }: KnownHandle, seller: RechargeSessionPrincipal): void {
  if (!isGood) {
    throw new ApiError("look_up_expired", { detail: "Look the person up again: a look-up is good for five minutes." });
  }
  if (userId === seller.userId) {
    throw new ApiError("not_allowed", { detail: "The point that sells cannot top itself up." });
  }
}

/** Decides on a sale with its payer and its session locked: stores it, or throws the refusal. */
async function sell(
  broker: BrokerContext,
  tx: Tx,
  call: RechargeCall,
  { attempt, receiver, at }: { readonly attempt: Attempt; readonly receiver: KnownHandle; readonly at: Date },
): Promise<RechargeRow> {
  const { newId, time, audit, currency } = broker;
  const { principal, requestId, body } = call;
  const { sessionId, userId, till = "" } = principal;
  const amount = readAmount(broker, body.amount);
  refuseReceiver(receiver, principal);
  const limits = [...(await tillLimits(tx, principal)), ...(await sellerLimits(broker, tx, userId))];
  refuseAbove(broker, limits, amount);
  const row = await insertRecharge(tx, {
    ...{ id: newId(), session_id: sessionId, merchant_id: attempt.merchantId, till },
    ...{ day: time.dayOf(at), attempt_key: attempt.key, fingerprint: attempt.fingerprint, look_up_id: receiver.id },
    ...{ from_user_id: userId, to_user_id: receiver.user_id, masked_name: receiver.masked_name, amount },
    ...{ currency: currency.code, created_at: at },
  });
  const facts = { session: sessionId, payee: receiver.user_id, amount: String(amount), currency: currency.code };
  await audit(tx, { requestId, principal, action: "sell recharge", subject: row.id, outcome: "running", facts });
  return row;
}

/**
 * Decides on an attempt once, by the first of its copies: later ones get the same sale or the same refusal, which is
 * stored in the same commit.
 */
function decide(broker: BrokerContext, call: RechargeCall, attempt: Attempt): Promise<RechargeRow | ApiError> {
  const { sql, clock } = broker;
  const { principal } = call;
  return sql.begin(async (tx) => {
    await lockPayer(tx, principal.userId);
    const at = clock();
    if (!(await holdWidgetSession(tx, principal, at))) throw new ApiError("unauthorized");
    const before = await findDecided(tx, attempt);
    if (before !== undefined) return before;
    const receiver = await lookUpOf(tx, call, at);
    try {
      return await sell(broker, tx, call, { attempt, receiver, at });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await keepRefusal(tx, attempt, receiver.id, error);
      return error;
    }
  });
}

/** Stores a new sale once; returns that of a concurrent request of the same attempt, if it was first. */
async function begin(broker: BrokerContext, call: RechargeCall, attempt: Attempt): Promise<RechargeRow> {
  const { body, principal, requestId } = call;
  const amount = readAmount(broker, body.amount);
  try {
    const decided = await decide(broker, call, attempt);
    if (decided instanceof ApiError) throw decided;
    return decided;
  } catch (error) {
    if (error instanceof ApiError) {
      const record = { action: "sell recharge", outcome: error.code, facts: { amount: String(amount) } };
      await broker.audit(broker.sql, { requestId, principal, ...record });
    }
    throw error;
  }
}

/** The sale is stored and may have been sent: an error would wrongly say that it was not made. */
function reconciled(
  reconciler: RechargeReconciler,
  row: RechargeRow,
  { requestId }: RechargeCall,
): Promise<RechargeRow> {
  const reconciling = reconciler.reconcile(row, { requestId, principal: tillOf(row) }).catch(() => row);
  return withinTime(reconciling, row, SELL_WAIT_MS);
}

/**
 * Sells one top-up, which the quota of the merchant's user pays for, and gives all requests with the same idempotency
 * key the same outcome: `running` where it is not known within eight seconds.
 */
export function createRecharge(
  broker: BrokerContext,
  reconciler: RechargeReconciler,
): GatedHandler<"rechargeSession", "createRecharge"> {
  return async (call) => {
    takeFromLimit(broker.saleLimit, call.principal.sessionId);
    const attempt = attemptOf(call);
    const before = await findDecided(broker.sql, attempt);
    const row = before ?? (await begin(broker, call, attempt));
    const known = row.state === "running" ? await reconciled(reconciler, row, call) : row;
    return { body: rechargeAnswer(broker, known), replayed: before !== undefined };
  };
}
