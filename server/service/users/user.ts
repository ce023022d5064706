import { ApiError } from "../../../src/contract/errors.ts";
import type { Handler } from "../../../src/contract/handler.ts";
import type * as contract from "../../../src/contract/users.ts";
import { readStanding } from "../credits/read-standing.ts";
import { type ApiCaller, refuseFaults, type ServiceContext } from "../service-context.ts";
import { barePhone, findUser, type UserKey } from "./find-user.ts";
import { userAnswer } from "./user-answer.ts";
import { importedRecords, latestPayments } from "./user-history.ts";

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

/** Looks up a user by id, nit or phone. */
export function user(service: ServiceContext): Handler<typeof contract.user, ApiCaller> {
  return async ({ query, principal: { entityId } }) => {
    const record = await findUser(service, keyOf(query));
    if (record === undefined) throw new ApiError("user_not_found", { detail: "No user has that id, nit or phone." });
    const isCreator = record.creatorId === entityId;
    const [latest, { holdsOpenCredit, suggestedStatus }] = await Promise.all([
      latestPayments(service, { userId: record.id, creatorId: record.creatorId, viewerId: entityId }),
      readStanding(service, record.id, entityId),
    ]);
    const history = isCreator ? [...latest, ...importedRecords(record.importedHistory)] : latest;
    const readsAll = isCreator || holdsOpenCredit;
    const view = { isPrivate: !readsAll, isCreator, history, ...(readsAll ? { suggestedStatus } : {}) };
    return { body: userAnswer(record, view, service) };
  };
}
