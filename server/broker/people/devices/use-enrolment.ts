import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { Tx } from "../../../database/connect.ts";
import { addressKey } from "../../../http/client-address.ts";
import { type BrokerContext, takeFromLimit, toInstant } from "../../access/broker-context.ts";
import { findFreeze } from "../../access/freeze-store.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import { sessionCookie } from "../../access/session-cookie.ts";
import { endSessionsOf } from "../../access/sign-in-sessions.ts";
import { keepAccountChange } from "../account/account-change-store.ts";
import { consumeChallenge, createChallenge } from "../account/challenge-store.ts";
import { answeredChallenge } from "../account/client-data.ts";
import { creationOptions } from "../account/creation-options.ts";
import { insertPasskey, markFirstDevice, type Passkey, retirePasskeys } from "../account/passkey-store.ts";
import { refusePasskey } from "../account/refuse-passkey.ts";
import { type NewCredential, verifyRegistration } from "../account/verify-registration.ts";
import { consumeEnrolment, type EnrolmentRow, withdrawEnrolmentsOf } from "./enrolment-store.ts";
import { enrolmentOver, isWaiting, liveEnrolment, type OpeningCall, openEnrolment } from "./open-enrolment.ts";

type Finish = Parameters<GatedHandler<"visitor", "finishEnrolment">>[0];

/**
 * Answers, by the secret of a link alone, the name and role of its person, if the new device will wait before it pays,
 * if a second operator has yet to agree, and the tries and time left: nothing is consumed.
 */
export function enrolment(broker: BrokerContext): GatedHandler<"visitor", "enrolment"> {
  return async ({ body, address }) => {
    takeFromLimit(broker.signInLimit, `look:${addressKey(address)}`);
    const row = await liveEnrolment(broker, body.secret);
    return {
      body: {
        name: row.name,
        kind: row.role,
        delayed: row.delayed,
        waiting: isWaiting(row),
        tries_left: row.tries_left,
        expires_in: Math.floor((row.expires_at.getTime() - broker.clock().getTime()) / 1000),
      },
    };
  };
}

/** Answers the options with which the browser makes the passkey, to a visitor who has the link and knows its code. */
export function startEnrolment(broker: BrokerContext): GatedHandler<"visitor", "startEnrolment"> {
  return async (call) => {
    const { id: enrolmentId, person_id: personId, name, expires_at } = await openEnrolment(broker, call.body, call);
    const lifeMs = expires_at.getTime() - broker.clock().getTime();
    const { challenge } = await createChallenge(broker, { purpose: "enrol", personId, enrolmentId, lifeMs });
    return { body: { options: await creationOptions(broker, { personId, name, challenge }) } };
  };
}

async function registered(broker: BrokerContext, row: EnrolmentRow, { body }: Finish): Promise<NewCredential> {
  const { id: enrolmentId, person_id: personId } = row;
  const said = answeredChallenge(body.credential);
  const used = said && { purpose: "enrol" as const, personId, enrolmentId, challenge: said };
  const known = used && (await consumeChallenge(broker.sql, used, broker.clock()));
  if (known === undefined) throw refusePasskey("This request is over or was answered before. Enter the code again.");
  return verifyRegistration(broker, { challenge: known.challenge, credential: body.credential });
}

/** Removes the earlier devices, with sessions and open links, where two operators decided that; returns how many. */
async function retireDevices(
  tx: Tx,
  { person_id: personId, retires_devices: isRetiring, agreed_by: agreedBy }: EnrolmentRow,
  but: string,
  change: { readonly id: string; readonly now: Date },
): Promise<number> {
  if (!isRetiring || agreedBy === null) return 0;
  await endSessionsOf(tx, personId, change.now);
  await withdrawEnrolmentsOf(tx, personId, change.now);
  const retired = await retirePasskeys(tx, personId, but, change.now);
  if (retired > 0) await keepAccountChange(tx, { ...change, personId, kind: "device_removed" });
  return retired;
}

/**
 * Stores the passkey and consumes the link, both or neither. A concurrent invitation waits for it: otherwise it would
 * miss the first device, and treat the next as the first, which pays at once, without a second operator.
 */
function keep(broker: BrokerContext, row: EnrolmentRow, made: NewCredential, call: Finish): Promise<Passkey> {
  const { sql, audit, clock, newId } = broker;
  const { principal, requestId, body } = call;
  const isRefusable = row.made_by !== row.person_id && row.agreed_by === null;
  return sql.begin("isolation level read committed", async (tx) => {
    await tx`select from broker.people where id = ${row.person_id} for no key update`;
    const now = clock();
    if (!(await consumeEnrolment(tx, row.id, now))) throw enrolmentOver();
    const passkey = await insertPasskey(tx, {
      ...{ ...made, id: newId(), personId: row.person_id, name: body.device, now, delayed: row.delayed, isRefusable },
    });
    if (passkey === undefined) throw refusePasskey("This passkey was enrolled before. Use another device.");
    const isFirst = await markFirstDevice(tx, row.person_id, now);
    const retired = await retireDevices(tx, row, passkey.id, { id: newId(), now });
    const added = { id: newId(), kind: "device_added", sessionHash: principal.sessionHash } as const;
    await keepAccountChange(tx, { ...added, personId: row.person_id, now });
    const outcome = { delayed: row.delayed, first: isFirst, retired };
    const facts = { person_id: row.person_id, passkey_id: passkey.id, ...outcome };
    await audit(tx, { requestId, principal, action: "use enrolment", subject: row.id, outcome: "done", facts });
    return passkey;
  });
}

async function auditRefusal(broker: BrokerContext, { id }: EnrolmentRow, call: OpeningCall, error: unknown) {
  const { sql, audit, refusalLimit } = broker;
  const { principal, requestId, address } = call;
  if (!(error instanceof ApiError) || !refusalLimit.take(`enrol:${addressKey(address)}`).allowed) return;
  await audit(sql, { requestId, principal, action: "use enrolment", subject: id, outcome: error.code });
}

/**
 * Stores the new passkey, uses the link up, and signs the person in, unless the person is frozen; signing in ends the
 * session that the browser had before.
 */
export function finishEnrolment(broker: BrokerContext): GatedHandler<"visitor", "finishEnrolment"> {
  return async (call) => {
    const { body, principal } = call;
    const row = await openEnrolment(broker, body, call);
    const passkey = await registered(broker, row, call)
      .then((made) => keep(broker, row, made, call))
      .catch(async (error: unknown) => {
        await auditRefusal(broker, row, call, error);
        throw error;
      });
    broker.push.notifyOfChanges(row.person_id);
    const payFrom = row.delayed ? { may_pay_from: toInstant(passkey.mayPayFrom) } : {};
    if (row.user_id !== null && (await findFreeze(broker.sql, row.user_id)) !== undefined) {
      return { body: { signed_in: false, ...payFrom } };
    }
    const how = { passkeyId: passkey.id, browser: principal.browser };
    const token = await broker.signIns.start(row.person_id, principal.sessionHash, how);
    return { body: { signed_in: true, ...payFrom }, headers: { "Set-Cookie": sessionCookie(broker, token) } };
  };
}
