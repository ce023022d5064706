import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { type BrokerContext, takeFromPersonLimit } from "../../access/broker-context.ts";
import { holdPerson } from "../../access/hold-person.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import { keepAccountChange } from "../account/account-change-store.ts";
import { requireProof } from "../account/require-proof.ts";
import { enrolmentLink } from "./enrolment-secret.ts";
import { ENROLMENT_LIFE_MS, makeEnrolment } from "./enrolment-store.ts";

/**
 * Makes a link and a code, on a proof, for another device of the person, which may pay at once; refused to a device
 * that may not pay yet.
 */
export function inviteDevice(broker: BrokerContext): GatedHandler<"person", "inviteDevice"> {
  const { sql, audit, clock, random, newId, publicOrigin, guardLimit, push } = broker;
  return async (call) => {
    const { principal, requestId, body } = call;
    takeFromPersonLimit(guardLimit, principal, "invite");
    const passkey = await requireProof(broker, call, "invite_device", body.proof);
    const now = clock();
    if (principal.mayPayFrom !== undefined || (passkey !== undefined && passkey.mayPayFrom > now)) {
      const about = { requestId, principal, action: "make enrolment" };
      await audit(sql, { ...about, outcome: "device_too_new" });
      throw new ApiError("device_too_new", { detail: "Invite devices from one that may pay, or wait until this may." });
    }
    const { personId, sessionHash } = principal;
    const made = await sql.begin("isolation level read committed", async (tx) => {
      await holdPerson(broker, tx, principal);
      const wanted = { personId, delayed: false, needsSecond: false, madeBy: personId };
      const enrolment = await makeEnrolment(tx, wanted, { newId, random, now });
      const facts = { person_id: personId, delayed: false, withdrew: enrolment.withdrew };
      const about = { requestId, principal, action: "make enrolment", subject: enrolment.id };
      await audit(tx, { ...about, outcome: "made", facts });
      await keepAccountChange(tx, { id: newId(), personId, kind: "device_invited", sessionHash, now });
      return enrolment;
    });
    push.notifyOfChanges(personId);
    const link = enrolmentLink(publicOrigin, made.secret);
    return { body: { link, code: made.code, expires_in: ENROLMENT_LIFE_MS / 1000 } };
  };
}
