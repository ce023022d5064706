import { addDays } from "../../../../src/calendar-day.ts";
import type { BrokerContract } from "../../../../src/contract/broker/broker.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { Call } from "../../../../src/contract/shared/handler.ts";
import type { Sql, Tx } from "../../../database/connect.ts";
import { refuseReusedKey } from "../../../shared/answer-once.ts";
import { type BrokerContext, readAmount, takeFromLimit } from "../../access/broker-context.ts";
import { refuseFrozen } from "../../access/freeze-store.ts";
import { lockPayer } from "../../access/hold-person.ts";
import { isLiveKey } from "../../access/merchant-keys.ts";
import type { GatedHandler, Granted } from "../../access/policy/gate.ts";
import { type MerchantPrincipal, principalLabel } from "../../access/principal.ts";
import { withinTime } from "../../access/within-time.ts";
import { leftOf } from "../../people/protection/limits-of.ts";
import { excessOf } from "../../people/protection/refuse-over-limit.ts";
import { limitText } from "../../upstream/resolve-outcome.ts";
import { type OwnPayment, readOwnPayment } from "../payments/own-payment.ts";
import {
  type AttemptKey,
  findOfAttempt,
  insertRefund,
  insertRefused,
  lockRefundLimit,
  type NewRefund,
  type RefundRow,
  refundedOnDay,
} from "../payments/refund-store.ts";
import { merchantOf, type RefundReconciler } from "./reconcile-refunds.ts";
import { refundAnswer, refusalOf } from "./refund-answer.ts";

type RefundCall = Call<BrokerContract["createRefund"], MerchantPrincipal>;
type Service = Granted<"merchant", "createRefund">;

/** How long a request waits for the outcome; after that the answer is `running`, and the refund goes on without it. */
const REFUND_WAIT_MS = 8_000;
const ANOTHER_REFUND = "The key was used for another refund: send a new one.";

interface Attempt extends AttemptKey {
  readonly fingerprint: Uint8Array;
}

/** Requires an idempotency key: without one a retry would refund again. */
function attemptOf({ principal, idempotency }: RefundCall): Attempt {
  if (idempotency === undefined) {
    const faults = [{ parameter: "Idempotency-Key", detail: "is required: send one of your own for each refund" }];
    throw new ApiError("invalid_request", { detail: "See errors for each fault.", faults });
  }
  return { ...idempotency, merchantId: principal.merchantId };
}

async function findEarlier(sql: Sql | Tx, attempt: Attempt): Promise<RefundRow | undefined> {
  const row = await findOfAttempt(sql, attempt);
  if (row !== undefined) refuseReusedKey(row.fingerprint, attempt.fingerprint, ANOTHER_REFUND);
  return row;
}

function refuseKey({ merchantId, refunds }: MerchantPrincipal): void {
  if (refunds) return;
  const detail =
    `This key may not refund: an operator allows its merchant by npm run merchant -- change ${merchantId} --refunds; ` +
    "to a key that was made later a second admin has to agree.";
  throw new ApiError("not_allowed", { detail });
}

/** The amount to give back: the given one, or all that is left. The service refuses what is more than that. */
function amountOf(broker: BrokerContext, { body }: RefundCall, { payment }: OwnPayment): bigint {
  if (body.amount !== undefined) return readAmount(broker, body.amount);
  const given = payment.reversed_amount ?? 0;
  const left = readAmount(broker, payment.amount) - (given === 0 ? 0n : readAmount(broker, given));
  if (left > 0n) return left;
  throw new ApiError("transaction_not_reversible", { detail: "The payment was given back already, all of it." });
}

/** The limit of a merchant's business day, where it has one, as the refusal of a refund that passes it. */
async function excessOfDay(
  broker: BrokerContext,
  tx: Tx,
  { merchant_id: merchantId, day, amount }: NewRefund,
): Promise<ApiError | undefined> {
  const limit = await lockRefundLimit(tx, merchantId);
  if (limit === null) return undefined;
  const left = leftOf(limit, await refundedOnDay(tx, merchantId, day));
  const until = broker.time.startOf(addDays(day, 1));
  return excessOf(broker, [{ name: "refund_limit", amount: limit, left, until }], amount);
}

/** Decides on an attempt once, by the first of its copies, with the merchant's user and the merchant locked. */
function decide(broker: BrokerContext, call: RefundCall, attempt: Attempt, own: OwnPayment): Promise<RefundRow> {
  const { sql, clock, newId, time, audit, currency } = broker;
  const { principal, requestId, body } = call;
  const { merchantId, userId } = principal;
  const amount = amountOf(broker, call, own);
  return sql.begin(async (tx) => {
    await lockPayer(tx, userId);
    const at = clock();
    const refund: NewRefund = {
      ...{ id: newId(), merchant_id: merchantId, session_id: own.sessionId, key_hash: principal.keyHash },
      ...{ payment_id: own.payment.id, day: time.dayOf(at), attempt_key: attempt.key, amount },
      ...{ fingerprint: attempt.fingerprint, from_user_id: userId, currency: currency.code },
      ...{ note: body.reason ?? null, created_at: at },
    };
    const excess = await excessOfDay(broker, tx, refund);
    if (!(await isLiveKey(tx, principal))) throw new ApiError("unauthorized");
    const before = await findEarlier(tx, attempt);
    if (before !== undefined) return before;
    await refuseFrozen(tx, userId);
    const row = excess ? await insertRefused(tx, refund, limitText(excess)) : await insertRefund(tx, refund);
    const facts = { payment: row.payment_id, session: row.session_id, amount: String(amount), currency: currency.code };
    const outcome = excess?.code ?? "running";
    await audit(tx, { requestId, principal, action: "refund payment", subject: row.id, outcome, facts });
    return row;
  });
}

async function begin(broker: BrokerContext, call: RefundCall, attempt: Attempt, service: Service): Promise<RefundRow> {
  const { principal, requestId, params } = call;
  const payment = params.payment_id;
  try {
    refuseKey(principal);
    return await decide(broker, call, attempt, await readOwnPayment(broker, principal, service, payment));
  } catch (error) {
    if (error instanceof ApiError) {
      const record = { action: "refund payment", outcome: error.code, facts: { payment } };
      await broker.audit(broker.sql, { requestId, principal, ...record });
    }
    throw error;
  }
}

/** The refund is stored and may have been sent: an error would wrongly say that it was not made. */
function reconciled(reconciler: RefundReconciler, row: RefundRow, { requestId }: RefundCall): Promise<RefundRow> {
  const reconciling = reconciler.reconcile(row, { requestId, principal: merchantOf(row) }).catch(() => row);
  return withinTime(reconciling, row, REFUND_WAIT_MS);
}

/**
 * Gives a payment of a merchant's session back, whole or in part, and gives all requests with the same idempotency key
 * the same outcome: `running` where it is not known within eight seconds.
 */
export function createRefund(
  broker: BrokerContext,
  reconciler: RefundReconciler,
): GatedHandler<"merchant", "createRefund"> {
  return async (call, service) => {
    takeFromLimit(broker.refundLimit, principalLabel(call.principal));
    const attempt = attemptOf(call);
    const before = await findEarlier(broker.sql, attempt);
    const row = before ?? (await begin(broker, call, attempt, service));
    const known = row.state === "running" ? await reconciled(reconciler, row, call) : row;
    const replayed = before !== undefined;
    const refusal = refusalOf(known, replayed);
    if (refusal !== undefined) throw refusal;
    const answer = refundAnswer(broker, known);
    if (known.state !== "approved") return { body: answer, replayed };
    // Where the service cannot be asked the request fails, and is repeated with its key.
    const { payment } = await readOwnPayment(broker, call.principal, service, known.payment_id);
    return { body: { ...answer, refunded_amount: payment.reversed_amount ?? answer.amount }, replayed };
  };
}
