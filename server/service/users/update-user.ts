import type * as contract from "../../../src/contract/service/users.ts";
import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { Call, Handler } from "../../../src/contract/shared/handler.ts";
import type { UserChanges } from "../../ledger/model/user-commands.ts";
import { type ApiCaller, post, refuseFaults, type ServiceContext } from "../shared/service-context.ts";
import { ownRecordsOf } from "../transactions/user-history.ts";
import { changedUserAnswer, readAnswerContext, userForScopes } from "./changed-user-answer.ts";
import { bareNit, barePhone } from "./find-user.ts";
import { type LookUpCall, lookUpUser } from "./look-up-user.ts";

type Body = Call<typeof contract.updateUser, ApiCaller>["body"];

/** Fields that are kept as they are sent. */
const PLAIN_FIELDS = Object.freeze({
  address: "address",
  bussines_name: "businessName",
  email: "email",
  image: "image",
  name: "name",
  score: "score",
  status: "status",
} as const satisfies Partial<Record<keyof Body, keyof UserChanges>>);

function phoneOf(phone: string): string {
  const bare = barePhone(phone);
  const fault: Fault = { pointer: "/phone", detail: "must be a telephone number such as +57 300 123 4567" };
  refuseFaults(bare === undefined ? [fault] : []);
  return bare ?? "";
}

async function changesOf(service: ServiceContext, body: Body): Promise<UserChanges> {
  const { nit, phone, payment_data: paymentData, history } = body;
  const plain = Object.entries(PLAIN_FIELDS).flatMap(([field, column]) => {
    const value = body[field as keyof typeof PLAIN_FIELDS];
    return value === undefined ? [] : [[column, value]];
  });
  return {
    ...(Object.fromEntries(plain) as UserChanges),
    ...(nit === undefined ? {} : { nit: bareNit(nit) }),
    ...(phone === undefined ? {} : { phone: phoneOf(phone) }),
    ...(paymentData === undefined ? {} : { paymentData: JSON.stringify(paymentData) }),
    ...(history === undefined ? {} : { importedHistory: await ownRecordsOf(service, body.id, history) }),
  };
}

/** Counts a nit or phone that no user of the caller has as looked up: the answer reveals if another user has it. */
async function lookUpIdentities(service: ServiceContext, { nit, phone }: UserChanges, call: LookUpCall): Promise<void> {
  if (nit !== undefined) await lookUpUser(service, { nit }, call);
  if (phone !== undefined) await lookUpUser(service, { phone }, call);
}

/** Changes the fields of a user that are sent, and only those; the caller's entity must have created the user. */
export function updateUser(service: ServiceContext): Handler<typeof contract.updateUser, ApiCaller> {
  return async (call) => {
    const { body, principal } = call;
    const changes = await changesOf(service, body);
    await lookUpIdentities(service, changes, call);
    const beside = await readAnswerContext(service, body.id, principal.entityId);
    const reply = await post(service, "updateUser", call, {
      action: { type: "update-user", userId: body.id.toLowerCase(), changes },
      answer: (user) => changedUserAnswer(user, beside, service),
    });
    return { ...reply, body: userForScopes(reply.body, principal) };
  };
}
