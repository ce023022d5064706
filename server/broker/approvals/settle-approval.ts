import { ApiError } from "../../../src/contract/errors.ts";
import { describeError } from "../../http/http-log.ts";
import { type BrokerContext, toInstant, toNumber } from "../broker-context.ts";
import type { Granted } from "../gate.ts";
import type { PersonPrincipal } from "../principals/principal.ts";
import { isCertainRefusal } from "../upstream/upstream-error.ts";
import { type ApprovalRow, findApproval, finishApproval, type Outcome } from "./approval-store.ts";

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

/**
 * The payment is sent for as long as the person may be waiting for it. Later the outcome is only looked up: a payment
 * that was never sent must not go out when somebody looks at it the next day.
 */
const SENDING_MS = 60_000;
/**
 * A payment that is not among those sent may still be on its way: sent in the last moment, tried again, waiting for a
 * lock at the service. Only after this is it certain that it never went out; until then nobody knows.
 */
const LOST_AFTER_MS = 5 * 60_000;
/** Clocks of the two sides may differ by so much. */
const CLOCK_SKEW_MS = 5 * 60_000;
const MAX_PAGES = 20;

type Receipt = Awaited<ReturnType<SettlingService["createTransaction"]>>["body"];

function outcomeOf({ id, reference, status, reason }: Receipt): Outcome {
  const transaction = { transactionId: id, transactionReference: reference };
  if (status !== "rejected") return { state: "approved", ...transaction };
  return { state: "rejected", ...transaction, ...(reason === undefined ? {} : { reason }) };
}

/** Sends the payment that was approved; its id is the idempotency key, so that sending again pays nothing more. */
async function send(broker: BrokerContext, row: ApprovalRow, service: SettlingService): Promise<Outcome> {
  const details = { qr: row.payload, approval: row.id, ...(row.note === null ? {} : { note: row.note }) };
  const payment = { amount: toNumber(broker, row.amount), to_user_id: row.payee_id, details };
  try {
    return outcomeOf((await service.createTransaction(payment, row.id)).body);
  } catch (error) {
    // A refusal of the first try is the outcome; one of a later try is too, because the first would be replayed.
    if (isCertainRefusal(error)) return { state: "failed", reason: error.code };
    throw error;
  }
}

function startOf(row: ApprovalRow): number {
  return (row.started_at ?? row.created_at).getTime();
}

/** Looks for the payment among what the person sent while it could have gone out. */
async function findSent(row: ApprovalRow, service: SettlingService): Promise<Outcome | undefined> {
  const period = {
    "from-date": toInstant(new Date(startOf(row) - CLOCK_SKEW_MS)),
    "to-date": toInstant(new Date(startOf(row) + LOST_AFTER_MS + CLOCK_SKEW_MS)),
  };
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { ...period, limit: "500", ...(cursor === undefined ? {} : { cursor }) };
    const { body, nextCursor } = await service.transactionHistory(query);
    const found = body.find(({ details }) => details.approval === row.id);
    if (found !== undefined) return outcomeOf(found);
    if (nextCursor === undefined) return undefined;
    cursor = nextCursor;
  }
  throw new ApiError("upstream_failed");
}

/** What became of a payment that is no longer sent; undefined while it may still be on its way. */
async function lookUp(row: ApprovalRow, service: SettlingService, ageMs: number): Promise<Outcome | undefined> {
  const found = await findSent(row, service);
  if (found !== undefined || ageMs < LOST_AFTER_MS) return found;
  return { state: "failed", reason: "not_carried_out" };
}

/** Makes the one place that sends payments. */
export function createSettler(broker: BrokerContext): Settler {
  const { sql, clock, audit, log, hints } = broker;
  const underWay = new Map<string, Promise<ApprovalRow>>();

  async function run(seen: ApprovalRow, service: SettlingService, call: SettlingCall): Promise<ApprovalRow> {
    // Whoever saw it running may come when another has just settled it: then there is nothing left to send.
    const row = (await findApproval(sql, seen.user_id, seen.id)) ?? seen;
    if (row.state !== "running") return row;
    const ageMs = clock().getTime() - startOf(row);
    const outcome = ageMs < SENDING_MS ? await send(broker, row, service) : await lookUp(row, service, ageMs);
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
