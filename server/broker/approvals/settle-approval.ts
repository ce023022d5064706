import { describeError } from "../../http/http-log.ts";
import type { BrokerContext } from "../broker-context.ts";
import { grantedService } from "../gate.ts";
import { markSold } from "../look-ups/look-up-store.ts";
import type { PersonPrincipal } from "../principals/principal.ts";
import type { Outcome } from "../upstream/learn-outcome.ts";
import { settleAllLeft } from "../upstream/settle-left.ts";
import type { Upstream } from "../upstream/upstream.ts";
import {
  type ApprovalRow,
  findApproval,
  finishApproval,
  type RunningApproval,
  runningApprovals,
} from "./approval-store.ts";
import { carryOut, type SettlingService } from "./carry-out.ts";

/** Who asked for the outcome, for the audit. */
export interface SettlingCall {
  readonly requestId: string;
  readonly principal: PersonPrincipal;
}

/** Learns what became of consumed approvals. */
export interface Settler {
  /**
   * Carries it out, or learns whether it was; who asks meanwhile waits for the same. While nobody knows, it throws or
   * leaves the approval running.
   */
  settle(row: ApprovalRow, service: SettlingService, call: SettlingCall): Promise<ApprovalRow>;
  /**
   * Writes down what became of all that nobody asks for any more, the oldest first. It only looks: what was not sent in
   * its minute is never paid.
   */
  settleLeft(): Promise<void>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

/** Longer than an approval is sent by whoever asks for it (learnOutcome), so that nobody's payment is late. */
const LEFT_AFTER_MS = 90_000;

/** Whoever approved it, as the policy knows them. */
function approverOf({ method, person_id: personId, user_id: userId }: RunningApproval): PersonPrincipal {
  return { kind: "person", personId, userId, demo: method === "button", sessionHash: new Uint8Array() };
}

/** Writes an outcome down, and who asked for it; undefined when it was known already. */
function finish({ sql, clock, audit }: BrokerContext, row: ApprovalRow, outcome: Outcome, call: SettlingCall) {
  return sql.begin(async (tx) => {
    const done = await finishApproval(tx, row.id, outcome, clock());
    if (done === undefined) return undefined;
    if (outcome.state === "approved" && row.look_up_id !== null) await markSold(tx, row.look_up_id, clock());
    const { state, reason = "", transactionId = "" } = outcome;
    const record = { action: "settle approval", subject: row.id, outcome: state };
    const { operation, method } = row;
    await audit(tx, { ...call, ...record, facts: { reason, transaction: transactionId, operation, method } });
    return done;
  });
}

async function settleLeft(
  { sql, clock, newId }: BrokerContext,
  upstream: Upstream,
  settle: Settler["settle"],
): Promise<void> {
  const before = new Date(clock().getTime() - LEFT_AFTER_MS);
  const settleOne = (row: RunningApproval): Promise<unknown> => {
    const principal = approverOf(row);
    const service = grantedService(upstream, principal, "confirmApproval");
    // Why not is logged; the next time may do better, and the others need not wait for it.
    return settle(row, service, { requestId: newId(), principal }).catch(() => undefined);
  };
  await settleAllLeft(before, (which) => runningApprovals(sql, which), settleOne);
}

/** Makes the one place that sends payments. */
export function createSettler(broker: BrokerContext, upstream: Upstream): Settler {
  const { sql, log, hints } = broker;
  const underWay = new Map<string, Promise<ApprovalRow>>();

  async function run(seen: ApprovalRow, service: SettlingService, call: SettlingCall): Promise<ApprovalRow> {
    // Whoever saw it running may come when another has just settled it: then there is nothing left to send.
    const row = (await findApproval(sql, seen.user_id, seen.id)) ?? seen;
    if (row.state !== "running") return row;
    const outcome = await carryOut(broker, row, service);
    if (outcome === undefined) return row;
    const finished = await finish(broker, row, outcome, call);
    const known = finished ?? (await findApproval(sql, row.user_id, row.id));
    if (known === undefined) throw new Error("a consumed approval is gone");
    if (known.reference !== null) hints.publish(`code:${known.reference}`);
    hints.publish(`user:${known.payer_id}`, `user:${known.payee_id}`);
    return known;
  }

  async function runOnce(row: ApprovalRow, service: SettlingService, call: SettlingCall): Promise<ApprovalRow> {
    try {
      return await run(row, service, call);
    } catch (error) {
      // Nobody may be waiting any more.
      log.warn({ approval: row.id, error: describeError(error) }, "the outcome of an approval is not known yet");
      throw error;
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
    settleLeft: () => settleLeft(broker, upstream, settle),
    async close() {
      await Promise.allSettled(underWay.values());
    },
  };
}
