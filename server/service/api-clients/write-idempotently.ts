import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Call, Reply } from "../../../src/contract/shared/handler.ts";
import type { Operation } from "../../../src/contract/shared/operation.ts";
import type { Tx } from "../../database/connect.ts";
import type { Refusal } from "../../ledger/model/command.ts";
import { isKept } from "../../ledger/model/state.ts";
import { recordAccess } from "../shared/record-access.ts";
import { type ApiCaller, originOf, type ServiceContext } from "../shared/service-context.ts";
import { findKeptAnswer, keepAnswer } from "../shared/stored-answer.ts";
import type { ApiClientRecord } from "./read-api-clients.ts";
import { liveApiClient } from "./require-live-api-client.ts";

/** The result of a write: its answer, and the version kept for a retry of the request, without any secret. */
export interface Written<A> {
  readonly answer: A;
  readonly kept: A;
  /** The client that it made or changed. */
  readonly clientId: string;
}

/** A write on API clients: carries it out, or says why not. The audit records operation and subject. */
export interface Write<A> {
  readonly operation: "createApiClient" | "rotateApiClient" | "disableApiClient";
  /** Null where the client is yet to be made. */
  readonly subject: string | null;
  readonly write: (tx: Tx, now: Date, caller: ApiClientRecord) => Promise<Written<A> | Refusal>;
}

type Outcome<A> = { readonly body: A; readonly replayed: boolean } | { readonly refused: Refusal; replayed: boolean };

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

type WriteCall = Pick<Call<Operation, ApiCaller>, "principal" | "idempotency" | "requestId">;

async function carryOut<A>(tx: Tx, call: WriteCall, write: Write<A>, now: Date): Promise<Outcome<A>> {
  const origin = originOf(write.operation, call);
  const caller = await lockApiClients(tx, call.principal);
  const earlier = await findKeptAnswer(tx, origin);
  if (earlier !== undefined && "body" in earlier) return { body: JSON.parse(earlier.body) as A, replayed: true };
  if (earlier !== undefined) return { refused: JSON.parse(earlier.refusal) as Refusal, replayed: true };
  const result = await write.write(tx, now, caller);
  const isDone = "answer" in result;
  if (isDone) await keepAnswer(tx, origin, { body: JSON.stringify(result.kept) }, now);
  else if (isKept(result)) await keepAnswer(tx, origin, { refusal: JSON.stringify(result) }, now);
  await recordAccess(
    tx,
    {
      madeBy: origin.clientId,
      requestId: call.requestId,
      action: origin.operation,
      subject: isDone ? result.clientId : write.subject,
      outcome: isDone ? "done" : result.code,
    },
    now,
  );
  return isDone ? { body: result.answer, replayed: false } : { refused: result, replayed: false };
}

/**
 * Carries out a write on the caller's API clients in one database transaction, with its audit record and the answer
 * kept under its idempotency key: for writes that do not go through the ledger.
 */
export async function writeOnce<A>(
  { sql, clock }: Pick<ServiceContext, "sql" | "clock">,
  call: WriteCall,
  write: Write<A>,
): Promise<Reply<A>> {
  const outcome = await sql.begin("isolation level read committed", (tx) => carryOut(tx, call, write, clock()));
  if (!("refused" in outcome)) return outcome;
  const { code, detail, faults = [] } = outcome.refused;
  throw new ApiError(code, { detail, faults, replayed: outcome.replayed });
}
