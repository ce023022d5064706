import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { Call } from "../../../../src/contract/shared/handler.ts";
import type { Operation } from "../../../../src/contract/shared/operation.ts";
import { addressKey } from "../../../http/client-address.ts";
import { type BrokerContext, takeFromLimit } from "../../access/broker-context.ts";
import type { VisitorPrincipal } from "../../access/principal.ts";
import type { EnrolmentKeys } from "./enrolment-secret.ts";
import { type EnrolmentRow, findEnrolmentBySecret, tryCode } from "./enrolment-store.ts";

/** The principal, request id and address of a visitor's call that opens an enrolment link. */
export type OpeningCall = Pick<Call<Operation, VisitorPrincipal>, "principal" | "requestId" | "address">;

/** Makes the error of a link that is used, over, withdrawn or unknown: one answer, so that nobody learns which. */
export function enrolmentOver(): ApiError {
  return new ApiError("enrolment_not_found", { detail: "Links are good for ten minutes and once: ask for a new one." });
}

/** Finds the live enrolment of a link; throws `enrolment_not_found`. */
export async function liveEnrolment({ sql, clock }: BrokerContext, secret: string): Promise<EnrolmentRow> {
  const row = await findEnrolmentBySecret(sql, secret, clock());
  if (row === undefined) throw enrolmentOver();
  return row;
}

/** True while a second operator has yet to agree to an enrolment. */
export function isWaiting({ needs_second, agreed_by }: EnrolmentRow): boolean {
  return needs_second && agreed_by === null;
}

/** Refuses signed-in operators: the maker of a link must not use it up on the spot (security: Sign-in and recovery). */
async function refuseOperators(broker: BrokerContext, { id }: EnrolmentRow, call: OpeningCall): Promise<void> {
  const { sql, audit, signIns, refusalLimit } = broker;
  const { principal, requestId } = call;
  const operatorId = principal.sessionHash && (await signIns.operatorOf(principal.sessionHash));
  if (operatorId === undefined) return;
  if (refusalLimit.take(operatorId).allowed) {
    const facts = { operator_id: operatorId };
    await audit(sql, { requestId, principal, action: "use enrolment", subject: id, outcome: "not_allowed", facts });
  }
  throw new ApiError("not_allowed", {
    detail: "You are signed in as an operator here. Open the link on the device that is to be enrolled.",
  });
}

async function checkCode(broker: BrokerContext, { id }: EnrolmentRow, keys: EnrolmentKeys, call: OpeningCall) {
  const { sql, audit, clock } = broker;
  const tried = await tryCode(sql, keys, clock());
  if (tried === undefined) throw enrolmentOver();
  const { isRight, triesLeft } = tried;
  if (isRight) return;
  const { principal, requestId } = call;
  const about = { requestId, principal, action: "open enrolment", subject: id };
  await audit(sql, { ...about, outcome: "enrolment_code_wrong", facts: { tries_left: triesLeft } });
  const left = triesLeft === 1 ? "one try is left" : `${triesLeft} tries are left`;
  throw new ApiError("enrolment_code_wrong", {
    detail: triesLeft === 0 ? "That was the last try: ask for a new link." : `Compare it, digit by digit: ${left}.`,
  });
}

/**
 * Checks the secret of an enrolment's link and its code, and returns the enrolment, which it does not use up; a wrong
 * code counts. Throws where the enrolment is over, the code is wrong, a second operator has yet to agree, or an
 * operator is signed in in this browser.
 */
export async function openEnrolment(
  broker: BrokerContext,
  keys: EnrolmentKeys,
  call: OpeningCall,
): Promise<EnrolmentRow> {
  takeFromLimit(broker.signInLimit, addressKey(call.address));
  const row = await liveEnrolment(broker, keys.secret);
  await refuseOperators(broker, row, call);
  if (isWaiting(row)) throw new ApiError("enrolment_waiting", { detail: "Ask again once a second operator agreed." });
  await checkCode(broker, row, keys, call);
  return row;
}
