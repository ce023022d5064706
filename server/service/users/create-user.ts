import { createHash } from "node:crypto";
import type * as contract from "../../../src/contract/service/users.ts";
import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { Call, Handler } from "../../../src/contract/shared/handler.ts";
import { requireScope } from "../../../src/contract/shared/require-scope.ts";
import { numberToAmountText } from "../../../src/money.ts";
import { parseExactJson } from "../../../src/parse-exact-json.ts";
import { createPaymentReference } from "../../../src/payment-reference.ts";
import type { RegisterUser } from "../../ledger/model/command.ts";
import { type ApiCaller, originOf, readAmount, refuseFaults, type ServiceContext } from "../shared/service-context.ts";
import { bareNit, barePhone, findUser, type UserRecord } from "./find-user.ts";
import { countRefusal } from "./look-up-user.ts";
import { userAnswer } from "./user-answer.ts";

const APN_TOKEN_BYTES = 32;

type Body = Call<typeof contract.createUser, ApiCaller>["body"];

function registrationOf(service: ServiceContext, body: Body, apnToken: string): RegisterUser {
  const faults: Fault[] = [];
  const phone = barePhone(body.phone);
  if (phone === undefined)
    faults.push({ pointer: "/phone", detail: "must be a telephone number such as +57 300 123 4567" });
  const opening = body.quota ?? 0;
  const quota = numberToAmountText(opening) === "0" ? 0n : readAmount(service.currency, opening, "/quota", faults);
  refuseFaults(faults);
  return {
    type: "register-user",
    quota,
    reference: createPaymentReference(service.random),
    user: {
      name: body.name,
      businessName: body.business_name ?? null,
      nit: bareNit(body.nit),
      phone: phone ?? "",
      email: body.email ?? null,
      address: body.address ?? null,
      image: body.image ?? null,
      score: body.score ?? null,
      status: body.status ?? "active",
      paymentData: JSON.stringify(body.payment_data ?? {}),
      apnTokenHash: createHash("sha256").update(apnToken).digest(),
    },
  };
}

/** A registration as it is kept for copies of the request: the token is sealed, so that no dump reveals it. */
interface KeptAnswer {
  readonly user: contract.User;
  readonly sealed_apn_token: string;
}

function sealToken({ sealer }: ServiceContext, nit: string, apnToken: string): string {
  return Buffer.from(sealer.seal("apn-token", nit, Buffer.from(apnToken))).toString("base64url");
}

/** Opens a kept answer; earlier versions kept the answer itself. */
function answerOf({ sealer }: ServiceContext, kept: KeptAnswer | contract.User): contract.User {
  if (!("sealed_apn_token" in kept)) return kept;
  const sealed = Buffer.from(kept.sealed_apn_token, "base64url");
  const apnToken = Buffer.from(sealer.open("apn-token", kept.user.nit, sealed)).toString();
  return { ...kept.user, apn_token: apnToken };
}

/** Finds the users that a refusal reveals: holders of nit and phone, undefined for none; no user of the caller. */
async function othersAmong(
  service: ServiceContext,
  { nit, phone }: Pick<RegisterUser["user"], "nit" | "phone">,
  { entityId }: ApiCaller,
): Promise<(string | undefined)[]> {
  const holders = await Promise.all([findUser(service, { nit }), findUser(service, { phone })]);
  const others = holders.filter((holder) => holder?.creatorId !== entityId);
  return [...new Set(others.map((holder) => holder?.id))];
}

/**
 * Registers a person or business as a user of the caller's entity. No other answer has `apn_token`, which addresses the
 * user's app for notifications. A refusal that reveals another entity's user counts as a look-up.
 */
export function createUser(service: ServiceContext): Handler<typeof contract.createUser, ApiCaller> {
  return async (call) => {
    // Quota that a user begins with is assigned like any other.
    if ((call.body.quota ?? 0) > 0) requireScope("quota", call.principal.scopes);
    const apnToken = Buffer.from(service.random(APN_TOKEN_BYTES)).toString("base64url");
    const action = registrationOf(service, call.body, apnToken);
    const register = () =>
      service.ledger.post({
        origin: originOf("createUser", call),
        action,
        answer: ({ paymentData, status, ...user }): KeptAnswer => {
          const record = {
            ...user,
            held: 0n,
            blockedAt: null,
            importedHistory: "[]",
            status: status as UserRecord["status"],
            paymentData: parseExactJson(paymentData) as UserRecord["paymentData"],
          };
          return {
            user: userAnswer(record, { suggestedStatus: "active", history: [] }, service),
            sealed_apn_token: sealToken(service, user.nit, apnToken),
          };
        },
      });
    const posted = await countRefusal(service, call, register, async ({ code }) =>
      code === "duplicate_user" ? othersAmong(service, action.user, call.principal) : [],
    );
    return { body: answerOf(service, posted.body as KeptAnswer | contract.User), replayed: posted.replayed };
  };
}
