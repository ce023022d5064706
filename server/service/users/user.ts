import { ApiError } from "../../../src/contract/errors.ts";
import type { Handler } from "../../../src/contract/handler.ts";
import type * as contract from "../../../src/contract/users.ts";
import { type ApiCaller, refuseFaults, type ServiceContext } from "../service-context.ts";
import { barePhone, findUser, type UserKey, type UserRecord } from "./find-user.ts";
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

async function mayReadAll({ sql }: ServiceContext, user: UserRecord, entityId: string): Promise<boolean> {
  if (user.creatorId === entityId) return true;
  const rows = await sql`
    select 1 from service.credits
    where user_id = ${user.id} and entity_id = ${entityId} and outstanding > 0 limit 1`;
  return rows.length > 0;
}

/** Looks up a user by id, nit or phone. */
export function user(service: ServiceContext): Handler<typeof contract.user, ApiCaller> {
  return async ({ query, principal: { entityId } }) => {
    const record = await findUser(service, keyOf(query));
    if (record === undefined) throw new ApiError("user_not_found", { detail: "No user has that id, nit or phone." });
    const isCreator = record.creatorId === entityId;
    const [latest, readsAll] = await Promise.all([
      latestPayments(service, record.id, entityId),
      mayReadAll(service, record, entityId),
    ]);
    const history = isCreator ? [...latest, ...importedRecords(record.importedHistory)] : latest;
    return { body: userAnswer(record, { isPrivate: !readsAll, isCreator, history }, service) };
  };
}
