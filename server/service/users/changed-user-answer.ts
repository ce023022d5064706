import type { JsonObject } from "../../../src/contract/fields.ts";
import type { User } from "../../../src/contract/users.ts";
import { parseExactJson } from "../../../src/exact-json.ts";
import type { ChangedUser } from "../../ledger/user-commands.ts";
import type { ServiceContext } from "../service-context.ts";
import type { UserRecord } from "./find-user.ts";
import { userAnswer } from "./user-answer.ts";
import { importedRecords } from "./user-history.ts";

/** A changed user as its creator is answered it, with the latest payments as they were just before. */
export function changedUserAnswer(user: ChangedUser, latest: readonly JsonObject[], service: ServiceContext): User {
  const { paymentData, status, ...fields } = user;
  const record = {
    ...fields,
    status: status as UserRecord["status"],
    paymentData: parseExactJson(paymentData) as UserRecord["paymentData"],
  };
  const history = [...latest, ...importedRecords(user.importedHistory)];
  return userAnswer(record, { isPrivate: false, isCreator: true, history }, service);
}
