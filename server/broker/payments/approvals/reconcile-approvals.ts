import type { BrokerContext } from "../../access/broker-context.ts";
import { grantOwn } from "../../access/policy/gate.ts";
import type { Upstream } from "../../access/policy/upstream-calls.ts";
import { markSold } from "../../people/look-ups/look-up-store.ts";
import { PaymentReconciler } from "../../upstream/reconcile-payments.ts";
import { type ApprovalRow, approvalTable, findApprover } from "./approval-store.ts";
import { executeApproval } from "./execute-approval.ts";

/** Sends what consumed approvals approve, and determines and records the outcomes. */
export type ApprovalReconciler = PaymentReconciler<ApprovalRow>;

/** Longer than a request sends its approval (resolveOutcome), so that no payment goes out late. */
const LEFT_AFTER_MS = 90_000;

/** Makes the reconciler of approvals, the only sender of approved payments, transfers and refunds. */
export function createApprovalReconciler(broker: BrokerContext, upstream: Upstream): ApprovalReconciler {
  const { sql, clock, hints, push } = broker;
  return new PaymentReconciler<ApprovalRow>(broker, {
    ...{ name: "approval", unknownOutcome: "the outcome of an approval is not known yet" },
    ...{ table: approvalTable, leftAfterMs: LEFT_AFTER_MS },
    async resolve(row) {
      const outcome = await executeApproval(broker, row, grantOwn(upstream, "payment", row.user_id));
      if (outcome.transactionId !== undefined) hints.reserve(outcome.transactionId);
      return outcome;
    },
    actorOf: async ({ user_id: userId }) => ({ kind: "person", id: await findApprover(sql, userId) }),
    factsOf: ({ operation, method }) => ({ operation, method }),
    useLookUp: ({ look_up_id: id }) => (id === null ? undefined : (tx) => markSold(tx, id, clock())),
    publish({ reference, payer_id: payer, payee_id: payee }) {
      if (reference !== null) hints.publish(`code:${reference}`);
      hints.publish(`user:${payer}`, `user:${payee}`);
    },
    notifyCorrected: (row) => push.notify(row.user_id, row.transaction_id ?? row.id, "corrected"),
  });
}
