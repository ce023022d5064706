import { describeError } from "../../../http/http-log.ts";
import { type BrokerContext, toNumber } from "../../access/broker-context.ts";
import { type Granted, grantedService } from "../../access/policy/gate.ts";
import type { Upstream } from "../../access/policy/upstream-calls.ts";
import type { RechargeSessionPrincipal } from "../../access/principal.ts";
import { markSold } from "../../people/look-ups/look-up-store.ts";
import { type PaymentOutcome, resolveOutcome } from "../../upstream/resolve-outcome.ts";
import { settleAllLeft } from "../../upstream/settle-pending.ts";
import {
  correctRecharge,
  findRecharge,
  finishRecharge,
  isStopped,
  pendingRecharges,
  type RechargeRow,
} from "./recharge-store.ts";

type Service = Granted<"rechargeSession", "createRecharge">;
type Receipt = Awaited<ReturnType<Service["createRechargeTransaction"]>>["body"];
type SentPayment = Awaited<ReturnType<Service["transactionHistory"]>>["body"][number];

/** Carries out sales, and determines the outcome of those whose answer was lost. */
export interface RechargeSettler {
  /**
   * Sells, or determines if it was sold; concurrent callers share one settlement. While the outcome is unknown, returns
   * the sale, still running.
   */
  settle(row: RechargeRow, requestId: string): Promise<RechargeRow>;
  /**
   * Settles the sales that a process left running, this one or one that died, the oldest first; and corrects those that
   * were reported as failed before that was certain.
   */
  settlePending(): Promise<void>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

/** A younger sale is still being settled by the request that began it. */
const LEFT_AFTER_MS = 10_000;

/** Reasons that concern the seller; any other concerns the receiver, and is not passed on. */
const SELLERS_REASONS: ReadonlySet<string> = new Set(["insufficient_balance", "limit_exceeded", "payer_blocked"]);

function outcomeOf({ id, reference, status, reason, exceeded_limit: exceededLimit }: Receipt): PaymentOutcome {
  const transaction = { transactionId: id, transactionReference: reference };
  if (status !== "rejected") return { state: "approved", ...transaction };
  return {
    state: "rejected",
    ...transaction,
    ...(reason !== undefined && SELLERS_REASONS.has(reason) ? { reason } : {}),
    ...(exceededLimit && { exceededLimit }),
  };
}

/** Makes the principal of the till that began a sale: the payer is the user that the merchant had then. */
function sellerOf(row: RechargeRow): RechargeSessionPrincipal {
  const session = { sessionId: row.session_id, merchantId: row.merchant_id, userId: row.from_user_id, origin: "" };
  const limits = { till: row.till, maxAmount: undefined, maxTotal: undefined };
  return { kind: "rechargeSession", seller: "", shownUntil: row.created_at, ...session, ...limits };
}

/** Determines the outcome of a sale, whose payment carries its id; throws while it is unknown. */
async function learn(broker: BrokerContext, row: RechargeRow, upstream: Upstream): Promise<PaymentOutcome> {
  const service = grantedService(upstream, sellerOf(row), "createRecharge");
  const details = { recharge: row.id, ...(row.till === "" ? {} : { till: row.till }) };
  const payment = { amount: toNumber(broker, row.amount), to_user_id: row.to_user_id, details };
  const running = {
    startedAt: row.created_at,
    isSendingBlocked: await isStopped(broker.sql, row),
    send: async () => outcomeOf((await service.createRechargeTransaction(payment, row.id)).body),
    voidKey: async () => (await service.voidIdempotencyKey({ key: row.id })).body.state,
    sent: service.transactionHistory,
    isIt: (sent: SentPayment) => sent.details.recharge === row.id,
    outcomeOf,
  };
  return resolveOutcome(running, broker.clock());
}

/** The writes of an outcome: that of a running sale, or the correction of a reported failure. */
const WRITINGS = Object.freeze({ "settle recharge": finishRecharge, "correct recharge": correctRecharge });

/** Records an outcome; undefined when it was known already. */
function finish(
  { sql, clock, audit }: BrokerContext,
  row: RechargeRow,
  outcome: PaymentOutcome,
  { requestId, action }: { readonly requestId: string; readonly action: keyof typeof WRITINGS },
): Promise<RechargeRow | undefined> {
  return sql.begin(async (tx) => {
    const done = await WRITINGS[action](tx, row.id, outcome, clock());
    if (done === undefined) return undefined;
    if (outcome.state === "approved") await markSold(tx, row.look_up_id, clock());
    const { state, reason = "", transactionId = "" } = outcome;
    const record = { requestId, principal: sellerOf(row), action, subject: row.id, outcome: state };
    await audit(tx, { ...record, facts: { reason, transaction: transactionId } });
    return done;
  });
}

function logUnknown({ log }: BrokerContext, row: RechargeRow, error: unknown): void {
  log.warn({ recharge: row.id, error: describeError(error) }, "the outcome of a top-up is not known yet");
}

/** Determines again the outcome of a sale that was reported as failed, and notifies the seller if it was approved. */
function correcting(broker: BrokerContext, upstream: Upstream) {
  return async (row: RechargeRow): Promise<void> => {
    const outcome = await learn(broker, row, upstream);
    const how = { requestId: broker.newId(), action: "correct recharge" } as const;
    const corrected = await finish(broker, row, outcome, how);
    if (corrected === undefined || outcome.state !== "approved") return;
    broker.push.notify(row.from_user_id, row.id, "corrected");
  };
}

/** Makes the one place that sends payments for top-ups. */
export function createRechargeSettler(broker: BrokerContext, upstream: Upstream): RechargeSettler {
  const { sql, clock, newId } = broker;
  const underWay = new Map<string, Promise<RechargeRow>>();
  const correct = correcting(broker, upstream);

  async function run(seen: RechargeRow, requestId: string): Promise<RechargeRow> {
    // Another caller may have settled it since the row was read: then there is nothing left to send.
    const row = (await findRecharge(sql, seen.id)) ?? seen;
    if (row.state !== "running") return row;
    const outcome = await learn(broker, row, upstream);
    const finished = await finish(broker, row, outcome, { requestId, action: "settle recharge" });
    return finished ?? (await findRecharge(sql, row.id)) ?? row;
  }

  async function runOnce(row: RechargeRow, requestId: string): Promise<RechargeRow> {
    try {
      return await run(row, requestId);
    } catch (error) {
      // The sale is stored and may have been sent: an error would wrongly say that it was not made.
      logUnknown(broker, row, error);
      return row;
    } finally {
      underWay.delete(row.id);
    }
  }

  function settle(row: RechargeRow, requestId: string): Promise<RechargeRow> {
    const running = underWay.get(row.id) ?? runOnce(row, requestId);
    underWay.set(row.id, running);
    return running;
  }

  return {
    settle,
    async settlePending() {
      const before = new Date(clock().getTime() - LEFT_AFTER_MS);
      const left = (which: "running" | "unconfirmed", work: (row: RechargeRow) => Promise<unknown>) =>
        settleAllLeft<RechargeRow>(before, (list) => pendingRecharges(sql, which, list), work);
      await left("running", (row) => settle(row, newId()));
      await left("unconfirmed", (row) => correct(row).catch((error) => logUnknown(broker, row, error)));
    },
    async close() {
      await Promise.allSettled(underWay.values());
    },
  };
}
