import type { Reply } from "../../../src/contract/shared/handler.ts";
import type { Sql, Tx } from "../../database/connect.ts";
import type { Origin } from "../../ledger/model/command.ts";
import { isKept, type StoredAnswer } from "../../ledger/model/state.ts";
import { IDEMPOTENCY_RECORDS } from "../../ledger/model/tables.ts";
import { insert } from "../../ledger/storage/table-statements.ts";
import { findOutcome, type OutcomeStore } from "../../shared/answer-once.ts";
import type { ServiceContext } from "./service-context.ts";

/**
 * Builds the store of the answers of an operation outside the ledger, by idempotency key. They are in the ledger's
 * table, so that one task deletes both; the function that writes holds a lock that serializes copies of the request.
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
      const record = { entityId, clientId, operation, ...request, answer: JSON.stringify(answer), createdAt: at };
      await Promise.all(insert(sql, IDEMPOTENCY_RECORDS, [record]));
    },
  };
}

/**
 * Runs work that has commits of its own, and that a retry may begin again, and answers with its result: a reused key is
 * refused before the work, and the answer is stored under the key after it.
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
