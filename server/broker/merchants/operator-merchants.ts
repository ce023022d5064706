import type { MerchantWithKeys } from "../../../src/contract/broker/operator-merchants.ts";
import type { Reply } from "../../../src/contract/shared/handler.ts";
import type { Tx } from "../../database/connect.ts";
import { createSealer } from "../../database/sealer.ts";
import type { WriteRefusal } from "../../shared/answer-once.ts";
import { readPage } from "../../shared/page.ts";
import type { BrokerContext } from "../access/broker-context.ts";
import type { GatedHandler } from "../access/policy/gate.ts";
import { requireAdmin } from "../access/require-role.ts";
import { keepRefusals } from "../access/write-as-operator.ts";
import {
  earlierReply,
  type OperatorCall,
  type OperatorWrite,
  writeIdempotently,
} from "../access/write-idempotently.ts";
import {
  type AskedMerchant,
  askForKey,
  askPowers,
  isMore,
  keyHasPowers,
  refuseAlone,
  splitPowers,
} from "./ask-powers.ts";
import type { MerchantKeyCreation } from "./live-keys.ts";
import {
  changeMerchant as change,
  createMerchant as create,
  disableMerchant as disable,
  rotateMerchantKey as rotate,
} from "./manage-merchants.ts";
import { merchantAnswer, merchantWithKeys, withoutKeys } from "./merchant-answer.ts";
import { askedFacts, rotationFacts, settingsFacts } from "./merchant-facts.ts";
import { readMerchants } from "./read-merchants.ts";
import { readSettings } from "./read-settings.ts";

/** Lists the merchants, newest first, without any secret. */
export function merchants(broker: BrokerContext): GatedHandler<"operator", "merchants"> {
  return async ({ query }) => {
    const { rows, nextCursor } = await readPage(query, (part) => readMerchants(broker.sql, part));
    return { body: rows.map((merchant) => merchantAnswer(broker, merchant)), nextCursor };
  };
}

type MerchantCreation = MerchantKeyCreation & Pick<BrokerContext, "newId">;
type Change = (tx: Tx, making: MerchantCreation) => Promise<AskedMerchant | WriteRefusal>;

/** Carries out a change whose answer alone has the keys that it made. */
function changeOnce(
  broker: BrokerContext,
  call: OperatorCall,
  about: Omit<OperatorWrite<MerchantWithKeys>, "write">,
  changing: Change,
): Promise<Reply<MerchantWithKeys>> {
  const { key, random, newId } = broker;
  const write = async (tx: Tx, now: Date) => {
    const madeBy = call.principal.personId;
    const result = await changing(tx, { sealer: createSealer(key, random), random, newId, now, madeBy });
    if ("code" in result) return result;
    const answer = merchantWithKeys(broker, result);
    return { answer, kept: withoutKeys(answer), subject: answer.id };
  };
  return writeIdempotently(broker, call, { ...about, write });
}

/**
 * Makes a merchant that is paid as a user whom the service knows; its keys are in this answer alone, and powers wait
 * for a second admin.
 */
export function createMerchant(broker: BrokerContext): GatedHandler<"operator", "createMerchant"> {
  const about = { operation: "createMerchant", action: "create merchant", subject: undefined };
  return async (call, service) => {
    await requireAdmin(broker, call, about);
    const { name, user_id: userId } = call.body;
    const settings = readSettings(broker, call.body);
    // Before the service is asked: an earlier answer can be replayed while the service is away.
    const earlier = await earlierReply<MerchantWithKeys>(broker.sql, call, about.operation);
    if (earlier !== undefined) return earlier;
    await keepRefusals(broker, call, { ...about, facts: { user_id: userId } }, () => service.user({ id: userId }));
    const { alone, asked } = splitPowers(settings);
    const { personId: madeBy } = call.principal;
    const facts = { user_id: userId, ...settingsFacts(alone), ...askedFacts(asked) };
    return changeOnce(broker, call, { ...about, facts }, async (tx, making) => {
      const refusal = isMore(asked) ? await refuseAlone(tx, madeBy, "create") : undefined;
      if (refusal !== undefined) return refusal;
      const made = await create(tx, { ...alone, id: broker.newId(), name, userId }, making);
      return askPowers(tx, made, { asked, madeBy }, making);
    });
  };
}

/**
 * Changes those settings of a merchant that the request's body has, and leaves the others; powers that it turns on and
 * the merchant lacks wait for a second admin.
 */
export function changeMerchant(broker: BrokerContext): GatedHandler<"operator", "changeMerchant"> {
  return async (call) => {
    const { id } = call.params;
    const about = { operation: "changeMerchant", action: "change merchant", subject: id };
    await requireAdmin(broker, call, about);
    const settings = readSettings(broker, call.body);
    const { alone, asked } = splitPowers(settings);
    const { personId: madeBy } = call.principal;
    const facts = { ...settingsFacts(alone), ...askedFacts(asked) };
    return changeOnce(broker, call, { ...about, facts }, async (tx, making) => {
      const [before] = await readMerchants(tx, { id });
      const refusal = isMore(asked, before) ? await refuseAlone(tx, madeBy, `change ${id}`) : undefined;
      if (refusal !== undefined) return refusal;
      const changed = await change(tx, id, alone, making);
      return "code" in changed ? changed : askPowers(tx, changed, { asked, madeBy }, making);
    });
  };
}

/**
 * Gives a merchant a new key, ends old ones, or both; a new server key gets the merchant's powers once a second admin
 * agrees.
 */
export function rotateMerchantKey(broker: BrokerContext): GatedHandler<"operator", "rotateMerchantKey"> {
  return async (call) => {
    const { id } = call.params;
    const about = { operation: "rotateMerchantKey", action: "rotate merchant key", subject: id };
    await requireAdmin(broker, call, about);
    const { kind, retire = [], new_key: newKey = true } = call.body;
    const rotation = { kind, retire, newKey };
    const { personId: madeBy } = call.principal;
    const command = `rotate ${id} --kind server`;
    return changeOnce(broker, call, { ...about, facts: rotationFacts(rotation) }, async (tx, making) => {
      const [before] = await readMerchants(tx, { id });
      const isAsked = newKey && before !== undefined && keyHasPowers(kind, before);
      const refusal = isAsked ? await refuseAlone(tx, madeBy, command) : undefined;
      if (refusal !== undefined) return refusal;
      const rotated = await rotate(tx, id, rotation, making);
      if ("code" in rotated || !keyHasPowers(kind, rotated.merchant)) return rotated;
      return askForKey(tx, rotated, madeBy, making);
    });
  };
}

/** Disables a merchant for good. */
export function disableMerchant(broker: BrokerContext): GatedHandler<"operator", "disableMerchant"> {
  return async (call) => {
    const { id } = call.params;
    const about = { operation: "disableMerchant", action: "disable merchant", subject: id };
    await requireAdmin(broker, call, about);
    const write = async (tx: Tx, now: Date) => {
      const result = await disable(tx, id, now);
      if ("code" in result) return result;
      const answer = merchantAnswer(broker, result.merchant);
      return { answer, kept: answer, subject: id };
    };
    return writeIdempotently(broker, call, { ...about, facts: {}, write });
  };
}
