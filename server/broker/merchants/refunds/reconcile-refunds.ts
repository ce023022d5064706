import type { Actor } from "../../access/audit.ts";
import { type BrokerContext, toNumber } from "../../access/broker-context.ts";
import { type GrantedOwn, grantOwn } from "../../access/policy/gate.ts";
import type { Upstream } from "../../access/policy/upstream-calls.ts";
import type { Sendable } from "../../upstream/payment-store.ts";
import { PaymentReconciler } from "../../upstream/reconcile-payments.ts";
import { type PaymentOutcome, resolveOutcome } from "../../upstream/resolve-outcome.ts";
import { type RefundRow, refundTable } from "../payments/refund-store.ts";

type Service = GrantedOwn<"refund">;
type SentRefund = Awaited<ReturnType<Service["transactionHistory"]>>["body"][number];

/** Sends the refunds of merchants to the service, and determines the outcome of those whose answer was lost. */
export type RefundReconciler = PaymentReconciler<RefundRow>;

/** A younger refund is still being settled by the request that began it. */
const LEFT_AFTER_MS = 10_000;

/** A refund moves all of its amount or is refused: the service records none that was rejected. */
function outcomeOf({ id, reference }: Pick<SentRefund, "id" | "reference">): PaymentOutcome {
  return { state: "approved", transactionId: id, transactionReference: reference };
}

/** Returns the merchant that asked for a refund, as the actor of its audit records, whoever asks for the outcome. */
export function merchantOf({ merchant_id: id }: RefundRow): Actor {
  return { kind: "merchant", id };
}

/** Determines the outcome of a refund, whose details carry its id; throws while it is unknown. */
function resolve(broker: BrokerContext, row: Sendable<RefundRow>, service: Service): Promise<PaymentOutcome> {
  const details = { refund: row.id, ...(row.note === null ? {} : { note: row.note }) };
  const reversal = { id: row.payment_id, amount: toNumber(broker, row.amount), details };
  const running = {
    startedAt: row.created_at,
    isSendingBlocked: row.is_blocked,
    send: async () => outcomeOf((await service.reverseTransaction(reversal, row.id)).body),
    voidKey: async () => (await service.voidIdempotencyKey({ key: row.id })).body.state,
    sent: service.transactionHistory,
    isIt: (sent: SentRefund) => sent.details.refund === row.id,
    outcomeOf,
  };
  return resolveOutcome(running, broker.clock());
}

/** Creates the reconciler of merchants' refunds, the only code that sends them to the service. */
export function createRefundReconciler(broker: BrokerContext, upstream: Upstream): RefundReconciler {
  return new PaymentReconciler<RefundRow>(broker, {
    ...{ name: "refund", unknownOutcome: "the outcome of a refund is not known yet" },
    ...{ table: refundTable, leftAfterMs: LEFT_AFTER_MS },
    // The payee is the user that the merchant had when the refund began.
    resolve: (row) => resolve(broker, row, grantOwn(upstream, "refund", row.from_user_id)),
    actorOf: merchantOf,
    factsOf: ({ payment_id: payment }) => ({ payment }),
    useLookUp: () => undefined,
    publish: ({ from_user_id: userId }) => broker.hints.publish(`user:${userId}`),
  });
}
