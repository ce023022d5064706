import type { ChangedUser as ChangedUserAnswer, User } from "../../../src/contract/service/users.ts";
import type { JsonObject } from "../../../src/contract/shared/fields.ts";
import { parseExactJson } from "../../../src/parse-exact-json.ts";
import type { ChangedUserRecord } from "../../ledger/model/user-commands.ts";
import type { ApiCaller, ReadContext } from "../shared/service-context.ts";
import { importedRecords, latestPayments } from "../transactions/user-history.ts";
import type { UserRecord } from "./find-user.ts";
import { readStanding } from "./read-standing.ts";
import { publicUser, type UserView, userAnswer } from "./user-answer.ts";

/** The parts of a user's answer beside its record. */
type Beside = Pick<UserView, "suggestedStatus"> & { readonly latest: readonly JsonObject[] };

/** Only its creator changes a user, and gets its payments in the answer. */
async function latestForCreator(service: ReadContext, userId: string, creatorId: string) {
  const { sql } = service;
  const [user] = await sql`select 1 from service.users where id = ${userId} and creator_id = ${creatorId}`;
  return user === undefined ? [] : latestPayments(service, { userId, creatorId, viewerId: creatorId });
}

/**
 * Reads the latest payments and the suggested status that the answer to a user's change shows beside the user's record:
 * before the change, so that every copy of the answer has the same.
 */
export async function readAnswerContext(service: ReadContext, userId: string, entityId: string): Promise<Beside> {
  const [latest, { suggestedStatus }] = await Promise.all([
    latestForCreator(service, userId, entityId),
    readStanding(service, userId, entityId),
  ]);
  return { latest, suggestedStatus };
}

/** Builds the answer of a changed user for the user's creator. */
export function changedUserAnswer(
  user: ChangedUserRecord,
  { latest, suggestedStatus }: Beside,
  service: Pick<ReadContext, "currency">,
): User {
  const { paymentData, status, ...fields } = user;
  const record = {
    ...fields,
    status: status as UserRecord["status"],
    paymentData: parseExactJson(paymentData) as UserRecord["paymentData"],
  };
  const history = [...latest, ...importedRecords(user.importedHistory)];
  return userAnswer(record, { suggestedStatus, history }, service);
}

/**
 * Returns a changed user's answer as the token's scopes allow: whole with the scope `read`, else only id, names, status
 * and, of a blocked user, `blocked`, with the other fields null, empty or left out.
 */
export function userForScopes(user: User, { scopes }: Pick<ApiCaller, "scopes">): ChangedUserAnswer {
  if (scopes.includes("read")) return user;
  const { id, name, business_name: businessName, status, blocked } = user;
  return { ...publicUser({ id, name, businessName, status }), ...(blocked ? { blocked } : {}) };
}
