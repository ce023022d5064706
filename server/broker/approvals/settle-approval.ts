import { describeError } from "../../http/http-log.ts";
import { type BrokerContext, toNumber } from "../broker-context.ts";
import type { Granted } from "../gate.ts";
import type { PersonPrincipal } from "../principals/principal.ts";
import { learnOutcome, type Outcome } from "../upstream/learn-outcome.ts";
import { type ApprovalRow, findApproval, finishApproval } from "./approval-store.ts";

/** The part of the service that settles an approval. */
type SettlingService = Pick<Granted<"person", "confirmApproval">, "createTransaction" | "transactionHistory">;

/** Who asked for the outcome, for the audit. */
export interface SettlingCall {
  readonly requestId: string;
  readonly principal: PersonPrincipal;
}

/** Learns what became of consumed approvals. */
export interface Settler {
  /**
   * Pays, or learns whether it was paid; who asks meanwhile waits for the same. While nobody knows, it throws or leaves
   * the approval running.
   */
  settle(row: ApprovalRow, service: SettlingService, call: SettlingCall): Promise<ApprovalRow>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

type Receipt = Awaited<ReturnType<SettlingService["createTransaction"]>>["body"];
type SentPayment = Awaited<ReturnType<SettlingService["transactionHistory"]>>["body"][number];

function outcomeOf({ id, reference, status, reason }: Receipt): Outcome {
  const transaction = { transactionId: id, transactionReference: reference };
  if (status !== "rejected") return { state: "approved", ...transaction };
  return { state: "rejected", ...transaction, ...(reason === undefined ? {} : { reason }) };
}

/** What became of an approved payment, which carries its approval's id; undefined while it may be on its way. */
function learn(broker: BrokerContext, row: ApprovalRow, service: SettlingService): Promise<Outcome | undefined> {
  const details = { qr: row.payload, approval: row.id, ...(row.note === null ? {} : { note: row.note }) };
  const payment = { amount: toNumber(broker, row.amount), to_user_id: row.payee_id, details };
  const running = {
    startedAt: row.started_at ?? row.created_at,
    send: async () => outcomeOf((await service.createTransaction(payment, row.id)).body),
    sent: service.transactionHistory,
    isIt: (sent: SentPayment) => sent.details.approval === row.id,
    outcomeOf,
  };
  return learnOutcome(running, broker.clock());
}

/** Makes the one place that sends payments. */
export function createSettler(broker: BrokerContext): Settler {
  const { sql, clock, audit, log, hints } = broker;
  const underWay = new Map<string, Promise<ApprovalRow>>();

  async function run(seen: ApprovalRow, service: SettlingService, call: SettlingCall): Promise<ApprovalRow> {
    // Whoever saw it running may come when another has just settled it: then there is nothing left to send.
    const row = (await findApproval(sql, seen.user_id, seen.id)) ?? seen;
    if (row.state !== "running") return row;
    const outcome = await learn(broker, row, service);
    if (outcome === undefined) return row;
    const finished = await sql.begin(async (tx) => {
      const done = await finishApproval(tx, row.id, outcome, clock());
      if (done === undefined) return undefined;
      const { state, reason = "", transactionId = "" } = outcome;
      const record = { action: "settle approval", subject: row.id, outcome: state };
      await audit(tx, { ...call, ...record, facts: { reason, transaction: transactionId, method: row.method } });
      return done;
    });
    const known = finished ?? (await findApproval(sql, row.user_id, row.id));
    if (known === undefined) throw new Error("a consumed approval is gone");
    if (known.reference !== null) hints.publish(`code:${known.reference}`);
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
