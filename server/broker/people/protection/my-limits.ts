import type { BrokerContract } from "../../../../src/contract/broker/broker.ts";
import type { ProofPurpose } from "../../../../src/contract/broker/passkeys.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { Call } from "../../../../src/contract/shared/handler.ts";
import type { AnswerOf } from "../../../../src/contract/shared/operation.ts";
import {
  type BrokerContext,
  invalidField,
  readAmount,
  takeFromPersonLimit,
  toInstant,
  toNumber,
  toSum,
} from "../../access/broker-context.ts";
import { holdPerson } from "../../access/hold-person.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import type { PersonPrincipal } from "../../access/principal.ts";
import { refuseNewDevice } from "../../access/refuse-new-device.ts";
import { keepAccountChange } from "../account/account-change-store.ts";
import { requireProof } from "../account/require-proof.ts";
import { effectiveLimit, heldLimits, isBelowFloor, limitNames } from "./effective-limit.ts";
import { type KnownLimits, keepOwnLimits, type LimitSet } from "./limit-store.ts";
import { limitsToday } from "./limits-of.ts";
import { type NewDeviceLimit, newDeviceLimitOf } from "./new-device.ts";

type PutCall = Call<BrokerContract["putMyLimits"], PersonPrincipal>;
/** Proofs that change limits; each is good for its own direction. */
type LimitProof = Extract<ProofPurpose, "raise_limits" | "lower_limits">;
type Answer = AnswerOf<BrokerContract["myLimits"]>;

function newDeviceOf(broker: BrokerContext, { amount, left, until }: NewDeviceLimit): Answer["new_device"] {
  return { amount: toNumber(broker, amount), left: toNumber(broker, left), until: toInstant(until) };
}

function answerOf(broker: BrokerContext, known: KnownLimits): Answer {
  const { entity, own, spent } = known;
  const device = newDeviceLimitOf(broker, known);
  const sum = (limit: bigint | null) => (limit === null ? null : toNumber(broker, limit));
  const both = (name: keyof LimitSet) => ({
    entity: sum(entity[name]),
    // The entity may have lowered its limit since.
    own: own[name] === null ? null : sum(effectiveLimit(entity[name], own[name])),
  });
  return {
    ...{ payment: both("payment"), day: both("day"), first_time_payee: both("first_time_payee") },
    ...(device === undefined ? {} : { new_device: newDeviceOf(broker, device) }),
    ...{ spent_today: toSum(broker, spent), currency: broker.currency.code },
  };
}

/** The person's own limits as they will be; throws for one above the entity's, which would mean nothing. */
function wantedLimits(broker: BrokerContext, { body }: PutCall, { entity, own }: KnownLimits): LimitSet {
  const wanted = (name: keyof LimitSet): bigint | null => {
    const given = body[name];
    if (given === undefined) return own[name];
    if (given === null) return null;
    const limit = readAmount(broker, given, `/${name}`);
    const most = entity[name];
    if (most === null || limit <= most) return limit;
    throw invalidField(`/${name}`, `must be at most ${toNumber(broker, most)}, which holds for everybody`);
  };
  return { payment: wanted("payment"), day: wanted("day"), first_time_payee: wanted("first_time_payee") };
}

/**
 * The proof that a change takes: for limits that let more through than now, and for such as stop the owner from paying.
 * Undefined for a change that a session alone may make at once.
 */
function neededProof(known: KnownLimits, wanted: LimitSet): LimitProof | undefined {
  const [now, then] = [heldLimits(known), heldLimits({ entity: known.entity, own: wanted })];
  const isRaised = limitNames.some(
    (name) => now[name] !== null && effectiveLimit(now[name], then[name]) !== then[name],
  );
  if (isRaised) return "raise_limits";
  const isTooLow = limitNames.some((name) => then[name] !== now[name] && isBelowFloor(known.entity[name], then[name]));
  return isTooLow ? "lower_limits" : undefined;
}

/** Requires a proof of the person, on a device that may pay. */
async function prove(broker: BrokerContext, call: PutCall, purpose: LimitProof): Promise<void> {
  const act = purpose === "raise_limits" ? "raise limits" : "lower limits so far";
  refuseNewDevice(call.principal.mayPayFrom, broker.clock(), act);
  const passkey = await requireProof(broker, call, purpose, call.body.proof);
  refuseNewDevice(passkey?.mayPayFrom, broker.clock(), act);
}

/** Changes the limits, with the records of that; equal limits are left alone. */
function change(broker: BrokerContext, call: PutCall, proven: LimitProof | undefined): Promise<KnownLimits> {
  const { principal, requestId } = call;
  const { userId, personId, sessionHash } = principal;
  return broker.sql.begin(async (tx) => {
    await holdPerson(broker, tx, principal);
    const known = await limitsToday(broker, tx, userId);
    const own = wantedLimits(broker, call, known);
    if (limitNames.every((name) => own[name] === known.own[name])) return known;
    const needed = neededProof(known, own);
    // The limits changed meanwhile, so that the request needs another proof now.
    if (needed !== undefined && needed !== proven) {
      throw new ApiError("proof_needed", { detail: "The limits changed meanwhile: try again." });
    }
    await keepOwnLimits(tx, personId, own, broker.clock());
    await keepAccountChange(tx, {
      ...{ id: broker.newId(), personId, kind: "limits_changed", sessionHash, now: broker.clock() },
    });
    const facts = Object.fromEntries(limitNames.map((name) => [name, own[name] === null ? "none" : String(own[name])]));
    const outcome = proven === "raise_limits" ? "raised" : "lowered";
    await broker.audit(tx, { requestId, principal, action: "change limits", subject: personId, outcome, facts });
    return { ...known, own };
  });
}

/** Answers a person's spending limits, and the sum that was spent of them today. */
export function myLimits(broker: BrokerContext): GatedHandler<"person", "myLimits"> {
  return async ({ principal }) => {
    const { userId } = principal;
    const known = await limitsToday(broker, broker.sql, userId);
    return { body: answerOf(broker, known) };
  };
}

/**
 * Changes a person's own limits: to lower them a session is enough; to raise them, or to set one below a tenth of the
 * entity's, takes a proof.
 */
export function putMyLimits(broker: BrokerContext): GatedHandler<"person", "putMyLimits"> {
  return async (call) => {
    takeFromPersonLimit(broker.guardLimit, call.principal, "limits");
    const known = await limitsToday(broker, broker.sql, call.principal.userId);
    const needed = neededProof(known, wantedLimits(broker, call, known));
    if (needed !== undefined) await prove(broker, call, needed);
    const changed = await change(broker, call, needed);
    broker.push.notifyOfChanges(call.principal.personId);
    return { body: answerOf(broker, changed) };
  };
}
