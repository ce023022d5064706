import { describeError } from "../../../http/http-log.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import { grantedService } from "../../access/policy/gate.ts";
import type { Upstream } from "../../access/policy/upstream-calls.ts";
import type { PersonPrincipal } from "../../access/principal.ts";
import { markSold } from "../../people/look-ups/look-up-store.ts";
import type { PaymentOutcome } from "../../upstream/resolve-outcome.ts";
import { settleAllLeft } from "../../upstream/settle-pending.ts";
import {
  type ApprovalRow,
  correctApproval,
  findApproval,
  finishApproval,
  pendingApprovals,
  type RunningApproval,
} from "./approval-store.ts";
import { executeApproval, type SettlingService } from "./execute-approval.ts";

/** The request that asks for the outcome, for the audit. */
export interface SettlingCall {
  readonly requestId: string;
  readonly principal: PersonPrincipal;
}

/** Determines the outcomes of consumed approvals. */
export interface Settler {
  /**
   * Carries it out, or learns whether it was; concurrent calls share one run. While the outcome is unknown, it throws,
   * and the approval stays running.
   */
  settle(row: ApprovalRow, service: SettlingService, call: SettlingCall): Promise<ApprovalRow>;
  /**
   * Records the outcomes of approvals that nobody asks for any more, the oldest first. A payment that was not sent in
   * its minute is never made. Corrects those reported as failed before that was certain whose payment was made after
   * all.
   */
  settlePending(): Promise<void>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

/** Longer than a request sends its approval ({@link executeApproval}), so that no payment goes out late. */
const LEFT_AFTER_MS = 90_000;

/** The approver, as the policy knows them. */
function approverOf({ method, person_id: personId, user_id: userId }: RunningApproval): PersonPrincipal {
  return { kind: "person", personId, userId, method, sessionHash: new Uint8Array() };
}

/** Writes an outcome: the first of a running approval, or another than was reported before. */
const WRITINGS = Object.freeze({ "settle approval": finishApproval, "correct approval": correctApproval });

/** Records an outcome, and who asked for it in the audit; undefined when none was to be recorded. */
function finish(
  { sql, clock, audit }: BrokerContext,
  row: ApprovalRow,
  outcome: PaymentOutcome,
  { action, ...call }: SettlingCall & { readonly action: keyof typeof WRITINGS },
) {
  return sql.begin(async (tx) => {
    const done = await WRITINGS[action](tx, row.id, outcome, clock());
    if (done === undefined) return undefined;
    if (outcome.state === "approved" && row.look_up_id !== null) await markSold(tx, row.look_up_id, clock());
    const { state, reason = "", transactionId = "" } = outcome;
    const record = { action, subject: row.id, outcome: state };
    const { operation, method } = row;
    await audit(tx, { ...call, ...record, facts: { reason, transaction: transactionId, operation, method } });
    return done;
  });
}

type Settle = (row: ApprovalRow, service: SettlingService, call: SettlingCall) => Promise<unknown>;

async function forAllLeft(
  { sql, clock, newId }: BrokerContext,
  upstream: Upstream,
  which: "running" | "unconfirmed",
  settle: Settle,
): Promise<void> {
  const before = new Date(clock().getTime() - LEFT_AFTER_MS);
  const settleOne = (row: RunningApproval): Promise<unknown> => {
    const principal = approverOf(row);
    const service = grantedService(upstream, principal, "confirmApproval");
    // The reason is logged; the next round may succeed, and the others need not wait for it.
    return settle(row, service, { requestId: newId(), principal }).catch(() => undefined);
  };
  await settleAllLeft(before, (list) => pendingApprovals(sql, which, list), settleOne);
}

async function learn(broker: BrokerContext, row: ApprovalRow, service: SettlingService): Promise<PaymentOutcome> {
  try {
    return await executeApproval(broker, row, service);
  } catch (error) {
    // Logged: the caller may have stopped waiting.
    broker.log.warn({ approval: row.id, error: describeError(error) }, "the outcome of an approval is not known yet");
    throw error;
  }
}

function publish({ hints }: BrokerContext, { reference, payer_id: payer, payee_id: payee }: ApprovalRow): void {
  if (reference !== null) hints.publish(`code:${reference}`);
  hints.publish(`user:${payer}`, `user:${payee}`);
}

/** Asks again for the outcome of an approval reported as failed; notifies the person if the payment was made. */
function correcting(broker: BrokerContext): Settle {
  return async (row, service, call) => {
    const outcome = await learn(broker, row, service);
    const corrected = await finish(broker, row, outcome, { ...call, action: "correct approval" });
    if (corrected === undefined) return;
    publish(broker, corrected);
    if (outcome.state === "approved") broker.push.notify(row.user_id, outcome.transactionId ?? row.id, "corrected");
  };
}

/** Creates the settler, the only sender of approved payments. */
export function createSettler(broker: BrokerContext, upstream: Upstream): Settler {
  const { sql } = broker;
  const underWay = new Map<string, Promise<ApprovalRow>>();
  const correct = correcting(broker);

  async function run(seen: ApprovalRow, service: SettlingService, call: SettlingCall): Promise<ApprovalRow> {
    // Another call or process may have settled it since it was seen running: then there is nothing left to send.
    const row = (await findApproval(sql, seen.user_id, seen.id)) ?? seen;
    if (row.state !== "running") return row;
    const outcome = await learn(broker, row, service);
    const finished = await finish(broker, row, outcome, { ...call, action: "settle approval" });
    const known = finished ?? (await findApproval(sql, row.user_id, row.id));
    if (known === undefined) throw new Error("a consumed approval is gone");
    publish(broker, known);
    return known;
  }

  async function runOnce(row: ApprovalRow, service: SettlingService, call: SettlingCall): Promise<ApprovalRow> {
    try {
      return await run(row, service, call);
    } finally {
      underWay.delete(row.id);
    }
  }

  function settle(row: ApprovalRow, service: SettlingService, call: SettlingCall): Promise<ApprovalRow> {
    const running = underWay.get(row.id) ?? runOnce(row, service, call);
    underWay.set(row.id, running);
    return running;
  }

  return {
    settle,
    async settlePending() {
      await forAllLeft(broker, upstream, "running", settle);
      await forAllLeft(broker, upstream, "unconfirmed", correct);
    },
    async close() {
      await Promise.allSettled(underWay.values());
    },
  };
}
