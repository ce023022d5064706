import { describeError } from "../../http/http-log.ts";
import type { BrokerContext } from "../broker-context.ts";
import { markSold } from "../look-ups/look-up-store.ts";
import type { PersonPrincipal } from "../principals/principal.ts";
import { type ApprovalRow, findApproval, finishApproval } from "./approval-store.ts";
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
  /** Waits for what is under way. */
  close(): Promise<void>;
}

/** Makes the one place that sends payments. */
export function createSettler(broker: BrokerContext): Settler {
  const { sql, clock, audit, log, hints } = broker;
  const underWay = new Map<string, Promise<ApprovalRow>>();

  async function run(seen: ApprovalRow, service: SettlingService, call: SettlingCall): Promise<ApprovalRow> {
    // Whoever saw it running may come when another has just settled it: then there is nothing left to send.
    const row = (await findApproval(sql, seen.user_id, seen.id)) ?? seen;
    if (row.state !== "running") return row;
    const outcome = await carryOut(broker, row, service);
    if (outcome === undefined) return row;
    const finished = await sql.begin(async (tx) => {
      const done = await finishApproval(tx, row.id, outcome, clock());
      if (done === undefined) return undefined;
      if (outcome.state === "approved" && row.look_up_id !== null) await markSold(tx, row.look_up_id, clock());
      const { state, reason = "", transactionId = "" } = outcome;
      const record = { action: "settle approval", subject: row.id, outcome: state };
      const { operation, method } = row;
      await audit(tx, { ...call, ...record, facts: { reason, transaction: transactionId, operation, method } });
      return done;
    });
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

  return {
    settle(row, service, call) {
      const running = underWay.get(row.id) ?? runOnce(row, service, call);
      underWay.set(row.id, running);
      return running;
    },
    async close() {
      await Promise.allSettled(underWay.values());
    },
  };
}
