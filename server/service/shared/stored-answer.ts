import type { Reply } from "../../../src/contract/shared/handler.ts";
import type { Sql, Tx } from "../../database/connect.ts";
import type { Origin } from "../../ledger/model/command.ts";
import { isKept, type StoredAnswer } from "../../ledger/model/state.ts";
import { IDEMPOTENCY_RECORDS } from "../../ledger/model/tables.ts";
import { insert } from "../../ledger/storage/table-statements.ts";
import { findOutcome, type OutcomeStore } from "../../shared/answer-once.ts";
import type { ServiceContext } from "./service-context.ts";

/**
 * Builds the store of the answers of one operation to one caller, by idempotency key, for operations that the ledger
 * does not carry out. It is the table of the ledger's own answers, so that one task deletes both; the caller that
 * writes must hold a lock that serializes copies of the request.
 */
export function outcomesOf<A>(
  sql: Sql | Tx,
  { entityId, clientId, operation }: Omit<Origin, "idempotency">,
): OutcomeStore<A, NonNullable<Origin["idempotency"]>> {
  return {
    async find(key) {
      const [record] = await sql<{ fingerprint: string; answer: string }[]>`
        select fingerprint, answer from service.idempotency_records
        where entity_id = ${entityId} and operation = ${operation} and key = ${key} and only_for in ('', ${clientId})
        order by only_for desc limit 1`;
      if (record === undefined) return undefined;
      const answer = JSON.parse(record.answer) as StoredAnswer;
      const outcome = "body" in answer ? { body: JSON.parse(answer.body) } : { refusal: JSON.parse(answer.refusal) };
      return { fingerprint: record.fingerprint, outcome };
    },
    async keep(request, outcome, at) {
      if ("refusal" in outcome && !isKept(outcome.refusal)) return;
      const answer: StoredAnswer =
        "body" in outcome ? { body: JSON.stringify(outcome.body) } : { refusal: JSON.stringify(outcome.refusal) };
      const kept = { answer: JSON.stringify(answer), transactionId: null, createdAt: at };
      const record = { entityId, clientId, operation, ...request, ...kept };
      await Promise.all(insert(sql, IDEMPOTENCY_RECORDS, [record]));
    },
  };
}

/**
 * Runs work that has commits of its own and may be run again, then stores its answer under the idempotency key and
 * replies with it. A copy of the request runs the work again, and gets the answer that was stored first. Throws
 * `idempotency_key_reused` before the work where the key belongs to another request.
 */
export async function rememberAnswer<A extends object>(
  { sql, ledger }: Pick<ServiceContext, "sql" | "ledger">,
  origin: Origin,
  work: () => Promise<A>,
): Promise<Reply<A>> {
  await findOutcome(outcomesOf(sql, origin), origin.idempotency);
  const answer = await work();
  const { body, replayed } = await ledger.post({ origin, action: { type: "remember" }, answer: () => answer });
  return { body: body as A, replayed };
}
