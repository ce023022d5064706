import { ApiError } from "../../../src/contract/errors.ts";
import type { Origin } from "../../ledger/command.ts";
import type { ServiceContext } from "../service-context.ts";

/** Before anything is done in steps of its own: a key that was used for another request must not do this one. */
export async function refuseReusedKey(
  { sql }: ServiceContext,
  { clientId, operation, idempotency }: Origin,
): Promise<void> {
  if (idempotency === undefined) return;
  const [record] = await sql<{ fingerprint: string }[]>`
    select fingerprint from service.idempotency_records
    where client_id = ${clientId} and operation = ${operation} and key = ${idempotency.key}`;
  if (record === undefined || record.fingerprint === idempotency.fingerprint) return;
  const detail = "The idempotency key belongs to an earlier request with another body: use a new key.";
  throw new ApiError("idempotency_key_reused", { detail });
}
