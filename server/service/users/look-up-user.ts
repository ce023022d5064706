import { ApiError } from "../../../src/contract/shared/errors.ts";
import { recordAccess } from "../shared/record-access.ts";
import type { ApiCaller, ServiceContext } from "../shared/service-context.ts";
import { findUser, type UserKey, type UserRecord } from "./find-user.ts";

/** The caller and the request's id of a request that looks a user up. */
export interface LookUpCall {
  readonly principal: ApiCaller;
  readonly requestId: string;
}

type LookUpContext = Pick<ServiceContext, "sql" | "clock" | "foreignLookUps">;

/** A nit, a phone or a balance can be guessed, which an id cannot. */
const COSTS = Object.freeze({ id: 1, guess: 10 });

async function record(
  { sql, clock }: LookUpContext,
  { principal: { clientId }, requestId }: LookUpCall,
  { subject, outcome }: { readonly subject: string | null; readonly outcome: string },
): Promise<void> {
  const decision = { madeBy: clientId, requestId, action: "lookUpUser", subject, outcome };
  await sql.begin((tx) => recordAccess(tx, decision, clock()));
}

function recordFound(service: LookUpContext, call: LookUpCall, id: string | undefined): Promise<void> {
  return record(service, call, { subject: id ?? null, outcome: id === undefined ? "user_not_found" : "done" });
}

async function refuseUnless(
  { allowed, retryAfter }: { readonly allowed: boolean; readonly retryAfter: number },
  service: LookUpContext,
  call: LookUpCall,
): Promise<void> {
  if (allowed) return;
  const outcome = "too_many_requests";
  const isRecorded = service.foreignLookUps.refusals.take(call.principal.entityId).allowed;
  if (isRecorded) await record(service, call, { subject: null, outcome });
  const detail = `Too many look-ups of users that your entity did not create: try again in ${retryAfter} s.`;
  throw new ApiError(outcome, { detail, retryAfter });
}

/**
 * Finds a user for an entity. A user that the entity did not create, and one that nobody created, takes from the
 * entity's limit of foreign look-ups and leaves an access record, the same for a hit and a miss.
 */
export async function lookUpUser(
  service: LookUpContext,
  key: UserKey,
  call: LookUpCall,
): Promise<UserRecord | undefined> {
  const { entityId } = call.principal;
  const user = await findUser(service, key);
  if (user?.creatorId === entityId) return user;
  const cost = "nit" in key || "phone" in key ? COSTS.guess : COSTS.id;
  await refuseUnless(service.foreignLookUps.perEntity.take(entityId, cost), service, call);
  await recordFound(service, call, user?.id);
  return user;
}

/** Users that a refusal reveals, undefined for one that does not exist; none of the entity's own. */
type LookUpSubject = (refusal: ApiError) => Promise<readonly (string | undefined)[]>;

/**
 * Carries out a write whose refusal may reveal users that the entity did not create, and counts such a refusal as a
 * look-up. It counts in full even where less is left, and then nothing is carried out until the deficit has refilled:
 * so concurrent writes reveal no more than sequential ones, and a 429 does not tell a refusal from a success.
 */
export async function countRefusal<T>(
  service: LookUpContext,
  call: LookUpCall,
  write: () => Promise<T>,
  toldOf: LookUpSubject,
): Promise<T> {
  const { entityId } = call.principal;
  const { perEntity } = service.foreignLookUps;
  await refuseUnless(perEntity.peek(entityId), service, call);
  try {
    return await write();
  } catch (error) {
    const told = error instanceof ApiError ? await toldOf(error) : [];
    if (told.length > 0) perEntity.charge(entityId, COSTS.guess);
    for (const id of told) await recordFound(service, call, id);
    throw error;
  }
}
