import { ApiError } from "../../../src/contract/errors.ts";
import { recordAccess } from "../record-access.ts";
import type { ApiCaller, ServiceContext } from "../service-context.ts";
import { findUser, type UserKey, type UserRecord } from "./find-user.ts";

/** A request that looks a user up. */
export interface LookUpCall {
  readonly principal: ApiCaller;
  readonly requestId: string;
}

/** A nit or phone can be guessed, which an id cannot. */
const COSTS = Object.freeze({ id: 1, nit: 10, phone: 10 });

function costOf(key: UserKey): number {
  if ("id" in key) return COSTS.id;
  return "nit" in key ? COSTS.nit : COSTS.phone;
}

/**
 * Finds a user for an entity. A user that the entity did not create, and one that nobody created, takes from the
 * client's limit of foreign look-ups and leaves an access record, the same for a hit and a miss.
 */
export async function lookUpUser(
  service: Pick<ServiceContext, "sql" | "clock" | "foreignLookUps">,
  key: UserKey,
  { principal: { clientId, entityId }, requestId }: LookUpCall,
): Promise<UserRecord | undefined> {
  const { sql, clock, foreignLookUps } = service;
  const user = await findUser(service, key);
  if (user?.creatorId === entityId) return user;
  const { allowed, retryAfter } = foreignLookUps.perClient.take(clientId, costOf(key));
  const record = async (subject: string | null, outcome: string): Promise<void> => {
    const decision = { madeBy: clientId, requestId, action: "lookUpUser", subject, outcome };
    await sql.begin((tx) => recordAccess(tx, decision, clock()));
  };
  if (!allowed) {
    if (foreignLookUps.refusals.take(clientId).allowed) await record(null, "too_many_requests");
    const detail = `Too many look-ups of users that your entity did not create: try again in ${retryAfter} s.`;
    throw new ApiError("too_many_requests", { detail, retryAfter });
  }
  await record(user?.id ?? null, user === undefined ? "user_not_found" : "done");
  return user;
}
