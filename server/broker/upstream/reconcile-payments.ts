import type { Sql, Tx } from "../../database/connect.ts";
import { describeError } from "../../http/http-log.ts";
import type { Actor, AuditRecord } from "../access/audit.ts";
import type { BrokerContext } from "../access/broker-context.ts";
import {
  confirmFailure,
  correctionOf,
  findPayment,
  type PaymentRow,
  type PaymentTable,
  type Pending,
  pendingPayments,
  type Sendable,
  settlementOf,
} from "./payment-store.ts";
import type { PaymentOutcome } from "./resolve-outcome.ts";

/** The write of an outcome: the first, or another than was reported before. */
const WRITES = Object.freeze({ settle: settlementOf, correct: correctionOf });

/** The request that asks for an outcome, for the audit. */
type ReconcileCall = Pick<AuditRecord, "requestId" | "principal">;

/**
 * The description of one kind of payments that the broker sends: where they are stored, how they are sent, and who is
 * notified of an outcome.
 */
export interface PaymentKind<R extends PaymentRow> {
  /** Its name in the audit and the log. */
  readonly name: "approval" | "recharge" | "refund";
  /** The log's words for an outcome that is not known yet. */
  readonly unknownOutcome: string;
  readonly table: PaymentTable;
  /** A younger payment is left to the request that began it. */
  readonly leftAfterMs: number;
  /** Sends the payment, or learns its outcome; throws while that is unknown. */
  readonly resolve: (row: Sendable<R>) => Promise<PaymentOutcome>;
  /** The one in whose name an outcome is recorded that no request asks for. */
  readonly actorOf: (row: R) => Actor | Promise<Actor>;
  /** Further facts for the audit. */
  readonly factsOf: (row: R) => Readonly<Record<string, string>>;
  /** Uses up, where one found its payee, the look-up, in the transaction that records an approved payment. */
  readonly useLookUp: (row: R) => ((tx: Tx) => Promise<void>) | undefined;
  /** Hints at a known outcome. */
  readonly publish: (row: R) => void;
  /**
   * Notifies the payer that a payment that was reported as failed was made; undefined where none was ever reported so
   * before that was certain.
   */
  readonly notifyCorrected?: (row: R) => void;
}

const AT_ONCE = 100;

/** Sends the payments of one kind to the service, as their only sender, and records the outcome of each. */
export class PaymentReconciler<R extends PaymentRow> {
  readonly #broker: BrokerContext;
  readonly #kind: PaymentKind<R>;
  readonly #underWay = new Map<string, Promise<R>>();

  constructor(broker: BrokerContext, kind: PaymentKind<R>) {
    this.#broker = broker;
    this.#kind = kind;
  }

  /**
   * Carries a payment out, or learns whether it was; concurrent calls share one run. While the outcome is unknown, it
   * throws, and the payment stays running.
   */
  reconcile(row: R, call: ReconcileCall): Promise<R> {
    const running =
      this.#underWay.get(row.id) ??
      this.#logged(row, this.#reconcileOne(row, call)).finally(() => this.#underWay.delete(row.id));
    this.#underWay.set(row.id, running);
    return running;
  }

  /**
   * Records the outcomes of payments that a process left running, this one or one that died, the oldest first. Corrects
   * those reported as failed before that was certain whose payment was made after all.
   */
  async reconcilePending(): Promise<void> {
    await this.#reconcileAll("running", (row, call) => this.reconcile(row, call));
    if (this.#kind.notifyCorrected === undefined) return;
    await this.#reconcileAll("unconfirmed", (row, call) => this.#logged(row, this.#correct(row, call)));
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#underWay.values());
  }

  async #reconcileOne(seen: R, call: ReconcileCall): Promise<R> {
    const { sql } = this.#broker;
    const { table, resolve, publish } = this.#kind;
    // Another call or process may have settled it since it was seen running: then there is nothing left to send.
    const row = await findPayment<R>(sql, table, seen.id);
    if (row?.state !== "running") return row ?? seen;
    const finished = await this.#record("settle", row, await resolve(row), call);
    const known = finished ?? (await findPayment<R>(sql, table, row.id)) ?? row;
    publish(known);
    return known;
  }

  async #correct(seen: R, call: ReconcileCall): Promise<void> {
    const { sql } = this.#broker;
    const { table, resolve, publish, notifyCorrected } = this.#kind;
    const row = await findPayment<R>(sql, table, seen.id);
    if (row === undefined) return;
    const outcome = await resolve(row);
    if (outcome.state === "failed") return confirmFailure(sql, table, row.id);
    const corrected = await this.#record("correct", row, outcome, call);
    if (corrected === undefined) return;
    publish(corrected);
    if (outcome.state === "approved") notifyCorrected?.(corrected);
  }

  /** Records an outcome with its audit record; undefined when none was to be recorded. */
  async #record(
    verb: keyof typeof WRITES,
    row: R,
    outcome: PaymentOutcome,
    call: ReconcileCall,
  ): Promise<R | undefined> {
    const { sql, clock, audit } = this.#broker;
    const { name, table, useLookUp, factsOf } = this.#kind;
    const { state, reason = "", transactionId = "" } = outcome;
    const facts = { reason, transaction: transactionId, ...factsOf(row) };
    const record = { ...call, action: `${verb} ${name}`, subject: row.id, outcome: state, facts };
    const write = (to: Sql | Tx) =>
      audit.beside<R>(to, WRITES[verb](to, table, { id: row.id, outcome, at: clock() }), record);
    const use = state === "approved" ? useLookUp(row) : undefined;
    if (use === undefined) return write(sql);
    return sql.begin(async (tx) => {
      const done = await write(tx);
      if (done !== undefined) await use(tx);
      return done;
    });
  }

  /** Logs a failure besides: its caller may have stopped waiting. */
  async #logged<T>({ id }: R, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      const { name, unknownOutcome } = this.#kind;
      this.#broker.log.warn({ [name]: id, error: describeError(error) }, unknownOutcome);
      throw error;
    }
  }

  /** Settles one after the other. One whose outcome stays unknown delays no other: the next round asks again. */
  async #reconcileAll(which: Pending, work: (row: R, call: ReconcileCall) => Promise<unknown>): Promise<void> {
    const { sql, clock, newId } = this.#broker;
    const { table, leftAfterMs, actorOf } = this.#kind;
    const settle = async (row: R) => work(row, { requestId: newId(), principal: await actorOf(row) });
    const before = new Date(clock().getTime() - leftAfterMs);
    let rows: readonly R[] = [];
    do {
      rows = await pendingPayments<R>(sql, table, which, { before, after: rows.at(-1), limit: AT_ONCE });
      for (const row of rows) await settle(row).catch(() => undefined);
    } while (rows.length === AT_ONCE);
  }
}
