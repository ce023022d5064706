import { ApiError, type ErrorCode, type Fault } from "../../../src/contract/shared/errors.ts";
import type { Call, Reply } from "../../../src/contract/shared/handler.ts";
import type { Operation } from "../../../src/contract/shared/operation.ts";
import type { Sql, Tx } from "../../database/connect.ts";
import type { BrokerContext } from "./broker-context.ts";
import type { OperatorPrincipal } from "./principal.ts";
import { type OperatorWriting, writeAsOperator } from "./write-as-operator.ts";

/** Why a change is not made: the same at the terminal as over HTTP. */
export interface WriteRefusal {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly faults?: readonly Fault[];
}

/** The part of an operator's request that identifies it and its copies. */
export type OperatorCall = Pick<Call<Operation, OperatorPrincipal>, "principal" | "idempotency" | "requestId">;

/** The result of a write: its answer, and the part that may be kept for a copy of the request. Never a secret. */
export interface Written<A> {
  readonly answer: A;
  readonly kept: A;
  readonly subject: string;
  /** The outcome in the audit; default: done. */
  readonly outcome?: string;
  /** The facts for the audit that only the write found out. */
  readonly facts?: OperatorWrite<A>["facts"];
}

/** A write of an operator, which is carried out or refused. */
export interface OperatorWrite<A> {
  readonly operation: string;
  /** The action in the audit, such as `create merchant`. */
  readonly action: string;
  /** The id that it acts on; undefined where that is yet to be made. */
  readonly subject: string | undefined;
  readonly facts: Readonly<Record<string, string | number | boolean>>;
  readonly write: (tx: Tx, now: Date) => Promise<Written<A> | WriteRefusal>;
}

/** Either the answer, or the refusal. */
interface Outcome<A> {
  readonly body?: A;
  readonly refusal?: WriteRefusal;
}

/** Retention of answers, the same as the service's. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Forgets the answers to operators of 30 days ago: a copy of such a request is a new one. */
export async function forgetOperatorAnswers(sql: Sql, now: Date): Promise<void> {
  await sql`delete from broker.operator_answers where created_at < ${new Date(now.getTime() - KEPT_MS)}`;
}

interface KeptRow {
  readonly fingerprint: Uint8Array;
  readonly answer: string;
}

function replyOf<A>({ body, refusal }: Outcome<A>, replayed: boolean): Reply<A> {
  if (refusal === undefined) return { body: body as A, replayed };
  const { code, detail, faults = [] } = refusal as WriteRefusal & { readonly faults?: readonly Fault[] };
  throw new ApiError(code, { detail, faults, replayed });
}

/**
 * Returns the answer to an earlier request with the same idempotency key; throws when that asked for something else.
 */
export async function earlierReply<A>(
  sql: Sql | Tx,
  { principal, idempotency }: OperatorCall,
  operation: string,
): Promise<Reply<A> | undefined> {
  if (idempotency === undefined) return undefined;
  const [row] = await sql<KeptRow[]>`
    select fingerprint, answer from broker.operator_answers
    where person_id = ${principal.personId} and operation = ${operation} and key = ${idempotency.key}`;
  if (row === undefined) return undefined;
  if (Buffer.compare(row.fingerprint, idempotency.fingerprint) === 0) return replyOf(JSON.parse(row.answer), true);
  const detail = "The idempotency key belongs to an earlier request with another body: use a new key.";
  throw new ApiError("idempotency_key_reused", { detail });
}

/** Claims the key for this request; false when a copy has it. Waits for a copy that is under way. */
async function claim(tx: Tx, { principal, idempotency }: OperatorCall, operation: string, now: Date): Promise<boolean> {
  if (idempotency === undefined) return true;
  const row = { person_id: principal.personId, operation, key: idempotency.key, created_at: now };
  const taken = await tx`
    insert into broker.operator_answers ${tx({ ...row, fingerprint: idempotency.fingerprint })}
    on conflict do nothing returning key`;
  return taken.length > 0;
}

async function keep(tx: Tx, { principal, idempotency }: OperatorCall, operation: string, outcome: object) {
  if (idempotency === undefined) return;
  await tx`
    update broker.operator_answers set answer = ${JSON.stringify(outcome)}
    where person_id = ${principal.personId} and operation = ${operation} and key = ${idempotency.key}`;
}

async function runOnce<A>(
  tx: Tx,
  now: Date,
  { audit }: Pick<BrokerContext, "audit">,
  call: OperatorCall,
  { operation, action, subject, facts, write }: OperatorWrite<A>,
): Promise<Outcome<A> | undefined> {
  if (!(await claim(tx, call, operation, now))) return undefined;
  const result = await write(tx, now);
  const isDone = "answer" in result;
  await keep(tx, call, operation, isDone ? { body: result.kept } : { refusal: result });
  const about = isDone ? result.subject : subject;
  const { requestId, principal } = call;
  const { outcome, facts: found } = isDone ? { outcome: "done", ...result } : { outcome: result.code, facts: {} };
  const record = { action, outcome, facts: { ...facts, ...found }, ...(about && { subject: about }) };
  await audit(tx, { requestId, principal, ...record });
  return isDone ? { body: result.answer } : { refusal: result };
}

/**
 * Carries out a write of an operator in one database transaction, with its audit record and what is kept for its
 * idempotency key: a copy of the request changes nothing, and is answered without the secrets.
 */
export async function writeIdempotently<A>(
  broker: OperatorWriting & Pick<BrokerContext, "audit">,
  call: OperatorCall,
  write: OperatorWrite<A>,
): Promise<Reply<A>> {
  const outcome = await writeAsOperator(broker, call.principal, (tx, now) => runOnce(tx, now, broker, call, write));
  if (outcome !== undefined) return replyOf(outcome, false);
  const earlier = await earlierReply<A>(broker.sql, call, write.operation);
  if (earlier === undefined) throw new Error("a copy of the request has its key, but no answer");
  return earlier;
}
