import type { Actor } from "../../access/audit.ts";
import { type BrokerContext, toNumber } from "../../access/broker-context.ts";
import { type GrantedOwn, grantOwn } from "../../access/policy/gate.ts";
import type { Upstream } from "../../access/policy/upstream-calls.ts";
import { markSold } from "../../people/look-ups/look-up-store.ts";
import type { Sendable } from "../../upstream/payment-store.ts";
import { PaymentReconciler } from "../../upstream/reconcile-payments.ts";
import { type PaymentOutcome, resolveOutcome } from "../../upstream/resolve-outcome.ts";
import { type RechargeRow, rechargeTable } from "./recharge-store.ts";

type Service = GrantedOwn<"sale">;
type Receipt = Awaited<ReturnType<Service["createRechargeTransaction"]>>["body"];
type SentPayment = Awaited<ReturnType<Service["transactionHistory"]>>["body"][number];

/** Sends the payments of top-ups to the service, and determines the outcome of those whose answer was lost. */
export type RechargeReconciler = PaymentReconciler<RechargeRow>;

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

/** Returns the till that began a top-up, as the actor of its audit records, whoever asks for the outcome. */
export function tillOf({ session_id: id }: RechargeRow): Actor {
  return { kind: "rechargeSession", id };
}

/** Determines the outcome of a sale, whose payment carries its id; throws while it is unknown. */
async function resolve(broker: BrokerContext, row: Sendable<RechargeRow>, service: Service): Promise<PaymentOutcome> {
  const details = { recharge: row.id, ...(row.till === "" ? {} : { till: row.till }) };
  const payment = { amount: toNumber(broker, row.amount), to_user_id: row.to_user_id, details };
  const running = {
    startedAt: row.created_at,
    isSendingBlocked: row.is_blocked,
    send: async () => outcomeOf((await service.createRechargeTransaction(payment, row.id)).body),
    voidKey: async () => (await service.voidIdempotencyKey({ key: row.id })).body.state,
    sent: service.transactionHistory,
    isIt: (sent: SentPayment) => sent.details.recharge === row.id,
    outcomeOf,
  };
  return resolveOutcome(running, broker.clock());
}

/** Creates the reconciler of top-ups, the only code that sends their payments to the service. */
export function createRechargeReconciler(broker: BrokerContext, upstream: Upstream): RechargeReconciler {
  const { clock, push } = broker;
  return new PaymentReconciler<RechargeRow>(broker, {
    ...{ name: "recharge", unknownOutcome: "the outcome of a top-up is not known yet" },
    ...{ table: rechargeTable, leftAfterMs: LEFT_AFTER_MS },
    // The payer is the user that the merchant had when the sale began.
    resolve: (row) => resolve(broker, row, grantOwn(upstream, "sale", row.from_user_id)),
    actorOf: tillOf,
    factsOf: () => ({}),
    useLookUp:
      ({ look_up_id: id }) =>
      (tx) =>
        markSold(tx, id, clock()),
    publish: () => undefined,
    notifyCorrected: (row) => push.notify(row.from_user_id, row.id, "corrected"),
  });
}
