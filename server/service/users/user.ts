import type * as contract from "../../../src/contract/service/users.ts";
import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { type ApiCaller, type ReadContext, refuseFaults } from "../shared/service-context.ts";
import { importedRecords, latestPayments } from "../transactions/user-history.ts";
import { barePhone, type UserKey, type UserRecord } from "./find-user.ts";
import { lookUpUser } from "./look-up-user.ts";
import { readStanding } from "./read-standing.ts";
import { foreignUserAnswer, type UserView, userAnswer } from "./user-answer.ts";

function keyOf(query: {
  readonly id?: string | undefined;
  readonly nit?: string | undefined;
  readonly phone?: string | undefined;
}): UserKey {
  if (query.id !== undefined) return { id: query.id };
  if (query.nit !== undefined) return { nit: query.nit };
  const phone = query.phone ?? "";
  if (barePhone(phone) === undefined) {
    refuseFaults([{ parameter: "phone", detail: "must be a telephone number; write + as %2B in an address" }]);
  }
  return { phone };
}

/** Reads what a user's answer shows to an entity beside the user's record. */
async function viewOf(service: ReadContext, record: UserRecord, entityId: string): Promise<UserView> {
  const { id: userId, creatorId } = record;
  const reading = latestPayments(service, { userId, creatorId, viewerId: entityId });
  if (creatorId !== entityId) return { history: await reading };
  const [latest, { suggestedStatus }] = await Promise.all([reading, readStanding(service, userId, entityId)]);
  return { suggestedStatus, history: [...latest, ...importedRecords(record.importedHistory)] };
}

/**
 * Looks up a user by id, nit or phone: every field for the user's creator, the public ones for another entity; without
 * history and suggested status where a minimal answer is asked for.
 */
export function user(service: ReadContext): Handler<typeof contract.user, ApiCaller> {
  return async (call) => {
    const { entityId } = call.principal;
    const record = await lookUpUser(service, keyOf(call.query), call);
    if (record === undefined) throw new ApiError("user_not_found", { detail: "No user has that id, nit or phone." });
    const view = call.isMinimal ? { history: [] } : await viewOf(service, record, entityId);
    if (record.creatorId !== entityId) return { body: foreignUserAnswer(record, view.history) };
    return { body: { ...userAnswer(record, view, service), yours: true } };
  };
}
