import type { BrokerContract } from "../../../src/contract/broker.ts";
import { ApiError } from "../../../src/contract/errors.ts";
import type { Call } from "../../../src/contract/handler.ts";
import type { AnswerOf } from "../../../src/contract/operation.ts";
import { type BrokerContext, invalidField, readAmount, takeFrom, toInstant, toNumber } from "../broker-context.ts";
import type { GatedHandler } from "../gate.ts";
import { refuseNewDevice } from "../passkeys/refuse-new-device.ts";
import { requireProof } from "../passkeys/require-proof.ts";
import type { PersonPrincipal } from "../principals/principal.ts";
import { type KnownLimits, keepOwnLimits, type LimitSet, lockPayer, readLimits } from "./limit-store.ts";
import { startOfDay } from "./limits-of.ts";
import { heldLimits, limitNames, lowerOf } from "./lower-of.ts";
import { type NewDeviceLimit, readNewDeviceLimit } from "./new-device.ts";

type PutCall = Call<BrokerContract["putMyLimits"], PersonPrincipal>;
type Answer = AnswerOf<BrokerContract["myLimits"]>;

function newDeviceOf(broker: BrokerContext, { amount, left, until }: NewDeviceLimit): Answer["new_device"] {
  return { amount: toNumber(broker, amount), left: toNumber(broker, left), until: toInstant(until) };
}

function answerOf(broker: BrokerContext, { entity, own, spent }: KnownLimits, device?: NewDeviceLimit): Answer {
  const sum = (limit: bigint | null) => (limit === null ? null : toNumber(broker, limit));
  const both = (name: keyof LimitSet) => ({
    entity: sum(entity[name]),
    // The entity may have gone below it since.
    own: own[name] === null ? null : sum(lowerOf(entity[name], own[name])),
  });
  return {
    ...{ payment: both("payment"), day: both("day"), first_time_payee: both("first_time_payee") },
    ...(device === undefined ? {} : { new_device: newDeviceOf(broker, device) }),
    ...{ spent_today: toNumber(broker, spent), currency: broker.currency.code },
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

/** Whether any limit would let more through than now. */
function raises(known: KnownLimits, wanted: LimitSet): boolean {
  const [now, then] = [heldLimits(known), heldLimits({ entity: known.entity, own: wanted })];
  return limitNames.some((name) => now[name] !== null && lowerOf(now[name], then[name]) !== then[name]);
}

/** Who raises limits has to be the person, on a device that may pay. */
async function prove(broker: BrokerContext, call: PutCall): Promise<void> {
  refuseNewDevice(call.principal.mayPayFrom, broker.clock(), "raise limits");
  const { proof } = call.body;
  if (proof === undefined) {
    throw new ApiError("not_allowed", { detail: "Raising a limit needs a proof: ask for one and send it along." });
  }
  const passkey = await requireProof(broker, call, "raise_limits", proof);
  refuseNewDevice(passkey?.mayPayFrom, broker.clock(), "raise limits");
}

function change(broker: BrokerContext, call: PutCall, isProven: boolean): Promise<KnownLimits> {
  const { principal, requestId } = call;
  const { userId, personId } = principal;
  return broker.sql.begin(async (tx) => {
    await lockPayer(tx, userId);
    const known = await readLimits(tx, userId, startOfDay(broker));
    const own = wantedLimits(broker, call, known);
    // They were lowered meanwhile, so that what was asked for raises them now.
    if (!isProven && raises(known, own))
      throw new ApiError("not_allowed", { detail: "The limits changed: try again." });
    await keepOwnLimits(tx, personId, own, broker.clock());
    const facts = Object.fromEntries(limitNames.map((name) => [name, own[name] === null ? "none" : String(own[name])]));
    const outcome = isProven ? "raised" : "lowered";
    await broker.audit(tx, { requestId, principal, action: "change limits", subject: personId, outcome, facts });
    return { ...known, own };
  });
}

/** Tells a person what they may pay at most, and what of it is used up today. */
export function myLimits(broker: BrokerContext): GatedHandler<"person", "myLimits"> {
  return async ({ principal }) => {
    const { userId } = principal;
    const known = await readLimits(broker.sql, userId, startOfDay(broker));
    return { body: answerOf(broker, known, await readNewDeviceLimit(broker, broker.sql, userId)) };
  };
}

/** Lowers a person's own limits at once; raises or lifts them for whoever proves to be that person. */
export function putMyLimits(broker: BrokerContext): GatedHandler<"person", "putMyLimits"> {
  return async (call) => {
    takeFrom(broker.guardLimit, `limits:${call.principal.personId}`);
    const known = await readLimits(broker.sql, call.principal.userId, startOfDay(broker));
    const isRaised = raises(known, wantedLimits(broker, call, known));
    if (isRaised) await prove(broker, call);
    const changed = await change(broker, call, isRaised);
    return { body: answerOf(broker, changed, await readNewDeviceLimit(broker, broker.sql, call.principal.userId)) };
  };
}
