import type { Call, Reply } from "../../../src/contract/shared/handler.ts";
import type { Operation } from "../../../src/contract/shared/operation.ts";
import type { Tx } from "../../database/connect.ts";
import { answerOnce, replyOf, type WriteRefusal, type Written } from "../../shared/answer-once.ts";
import { recordAccess } from "../shared/record-access.ts";
import { type ApiCaller, originOf, type ServiceContext } from "../shared/service-context.ts";
import { outcomesOf } from "../shared/stored-answer.ts";
import type { ApiClientRecord } from "./read-api-clients.ts";
import { liveApiClient } from "./require-live-api-client.ts";

/**
 * The change that {@link writeOnce} carries out: given the transaction, the time and the caller's API client, it
 * returns its answer, the answer to be stored, and the id of the changed client; or a refusal.
 */
export type ApiClientWrite<A> = (
  tx: Tx,
  now: Date,
  caller: ApiClientRecord,
) => Promise<(Written<A> & { readonly clientId: string }) | WriteRefusal>;

/** A write on API clients, and the operation and subject that the access record names. */
interface RecordedWrite<A> {
  readonly operation: "createApiClient" | "rotateApiClient" | "disableApiClient";
  /** Null where the client is yet to be made. */
  readonly subject: string | null;
  readonly write: ApiClientWrite<A>;
}

/**
 * Serializes changes of one entity's API clients, and refuses a caller whose credentials ended a moment ago: its token
 * may be valid elsewhere for another minute, but must not make the client that outlives it.
 */
async function lockApiClients(tx: Tx, caller: ApiCaller): Promise<ApiClientRecord> {
  await tx`
    select from service.api_clients where entity_id = ${caller.entityId} and disabled_at is null
    order by id for no key update`;
  return liveApiClient(tx, caller);
}

/**
 * Carries out a write on the API clients of the caller's entity in one database transaction, with its access record and
 * the answer kept under its idempotency key, which a copy of the request gets: for writes that do not go through the
 * ledger. Throws `unauthorized` where the caller's credentials ended.
 */
export async function writeOnce<A>(
  { sql, clock }: Pick<ServiceContext, "sql" | "clock">,
  call: Pick<Call<Operation, ApiCaller>, "principal" | "idempotency" | "requestId">,
  { operation, subject, write }: RecordedWrite<A>,
): Promise<Reply<A>> {
  const origin = originOf(operation, call);
  const outcome = await sql.begin("isolation level read committed", async (tx) => {
    const now = clock();
    const caller = await lockApiClients(tx, call.principal);
    return answerOnce(outcomesOf<A>(tx, origin), { request: origin.idempotency, now }, async () => {
      const result = await write(tx, now, caller);
      const done = "code" in result ? { subject, outcome: result.code } : { subject: result.clientId, outcome: "done" };
      const who = { madeBy: call.principal.clientId, requestId: call.requestId };
      await recordAccess(tx, { ...who, action: operation, ...done }, now);
      return result;
    });
  });
  return replyOf(outcome);
}
