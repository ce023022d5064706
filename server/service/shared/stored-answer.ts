import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Sql, Tx } from "../../database/connect.ts";
import type { Origin } from "../../ledger/model/command.ts";
import type { StoredAnswer } from "../../ledger/model/state.ts";

/**
 * Finds the answer of an earlier request of the entity with the same idempotency key, for writes outside the ledger: in
 * the same table, so that one task deletes both. The caller holds a lock that serializes copies of the request.
 */
export async function findKeptAnswer(
  sql: Sql | Tx,
  { entityId, clientId, operation, idempotency }: Origin,
): Promise<StoredAnswer | undefined> {
  if (idempotency === undefined) return undefined;
  const [record] = await sql<{ fingerprint: string; answer: string }[]>`
    select fingerprint, answer from service.idempotency_records
    where entity_id = ${entityId} and operation = ${operation} and key = ${idempotency.key}
      and only_for in ('', ${clientId})
    order by only_for desc limit 1`;
  if (record === undefined) return undefined;
  if (record.fingerprint === idempotency.fingerprint) return JSON.parse(record.answer) as StoredAnswer;
  const detail = "The idempotency key belongs to an earlier request with another body: use a new key.";
  throw new ApiError("idempotency_key_reused", { detail });
}

/** Keeps an answer for copies of the request, in the database transaction of the write; never a secret. */
export async function keepAnswer(tx: Tx, origin: Origin, answer: StoredAnswer, now: Date): Promise<void> {
  if (origin.idempotency === undefined) return;
  const { key, fingerprint } = origin.idempotency;
  const scope = { entity_id: origin.entityId, client_id: origin.clientId, operation: origin.operation, key };
  await tx`
    insert into service.idempotency_records
      ${tx({ ...scope, fingerprint, answer: JSON.stringify(answer), created_at: now })}`;
}
