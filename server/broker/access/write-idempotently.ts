import type { Call, Idempotency, Reply } from "../../../src/contract/shared/handler.ts";
import type { Operation } from "../../../src/contract/shared/operation.ts";
import type { Sql, Tx } from "../../database/connect.ts";
import {
  answerOnce,
  findOutcome,
  type Outcome,
  type OutcomeStore,
  replyOf,
  type WriteRefusal,
  type Written,
} from "../../shared/answer-once.ts";
import type { BrokerContext } from "./broker-context.ts";
import type { OperatorPrincipal } from "./principal.ts";
import { type OperatorWriting, writeAsOperator } from "./write-as-operator.ts";

/**
 * The fields of an operator's request that a write needs: the operator, the request id, and the idempotency key, if it
 * has one, with the fingerprint of the content.
 */
export type OperatorCall = Pick<Call<Operation, OperatorPrincipal>, "principal" | "idempotency" | "requestId">;

/**
 * The result of an operator's write: the answer, its form without secrets that is stored for copies of the request, and
 * the subject, outcome and further facts of the audit record.
 */
export interface OperatorWritten<A> extends Written<A> {
  readonly subject: string;
  /** The outcome in the audit; default: done. */
  readonly outcome?: string;
  /** The facts for the audit that only the write found out. */
  readonly facts?: OperatorWrite<A>["facts"];
}

/**
 * A write of an operator: its operation, its facts for the audit, and the function that carries it out or refuses it.
 */
export interface OperatorWrite<A> {
  readonly operation: string;
  /** The action in the audit, such as `create merchant`. */
  readonly action: string;
  /** The id that it acts on; undefined where that is yet to be made. */
  readonly subject: string | undefined;
  readonly facts: Readonly<Record<string, string | number | boolean>>;
  readonly write: (tx: Tx, now: Date) => Promise<OperatorWritten<A> | WriteRefusal>;
}

/** Retention of answers, the same as the service's. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Deletes the answers to operators' writes, kept by idempotency key, that are older than 30 days: a copy of such a
 * request is a new one.
 */
export async function forgetOperatorAnswers(sql: Sql, now: Date): Promise<void> {
  await sql`delete from broker.operator_answers where created_at < ${new Date(now.getTime() - KEPT_MS)}`;
}

/** An operator's answers; copies of a request wait for the lock on the operator that {@link writeAsOperator} takes. */
function outcomesOf<A>(
  sql: Sql | Tx,
  { personId }: OperatorPrincipal,
  operation: string,
): OutcomeStore<A, Idempotency> {
  return {
    async find(key) {
      const [row] = await sql<{ readonly fingerprint: Uint8Array; readonly answer: string }[]>`
        select fingerprint, answer from broker.operator_answers
        where person_id = ${personId} and operation = ${operation} and key = ${key}`;
      return row && { fingerprint: row.fingerprint, outcome: JSON.parse(row.answer) as Outcome<A> };
    },
    keep: (request, outcome, at) => {
      const row = { person_id: personId, operation, ...request, answer: JSON.stringify(outcome), created_at: at };
      return sql`insert into broker.operator_answers ${sql(row)}`;
    },
  };
}

/**
 * Returns the stored answer to an earlier request of the operator for the same operation under the same idempotency
 * key, or throws its refusal; undefined where there was none, or without a key. Throws `idempotency_key_reused` when
 * that request had other content.
 */
export async function earlierReply<A>(
  sql: Sql,
  { principal, idempotency }: OperatorCall,
  operation: string,
): Promise<Reply<A> | undefined> {
  const outcome = await findOutcome(outcomesOf<A>(sql, principal, operation), idempotency);
  return outcome && replyOf(outcome);
}

/**
 * Carries out a write of an operator in one database transaction, with its audit record and its outcome, kept by
 * idempotency key: a copy of the request waits for it, changes nothing, and is answered without the secrets. Throws the
 * write's refusal.
 */
export async function writeIdempotently<A>(
  broker: OperatorWriting & Pick<BrokerContext, "audit">,
  { principal, idempotency, requestId }: OperatorCall,
  { operation, action, subject, facts, write }: OperatorWrite<A>,
): Promise<Reply<A>> {
  const outcome = await writeAsOperator(broker, principal, (tx, now) =>
    answerOnce(outcomesOf<A>(tx, principal, operation), { request: idempotency, now }, async () => {
      const result = await write(tx, now);
      const done = "code" in result ? { outcome: result.code, subject, facts: {} } : { outcome: "done", ...result };
      const record = { action, outcome: done.outcome, facts: { ...facts, ...done.facts } };
      await broker.audit(tx, { requestId, principal, ...record, ...(done.subject && { subject: done.subject }) });
      return result;
    }),
  );
  return replyOf(outcome);
}
