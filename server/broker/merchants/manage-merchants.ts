import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { Tx } from "../../database/connect.ts";
import type { WriteRefusal } from "../../shared/answer-once.ts";
import { endStoppedSessions } from "../access/widget-session-store.ts";
import { replaceChanges } from "./change-store.ts";
import { addKey, type MerchantKeyCreation, MOST_LIVE_KEYS, retireKeys, setKeyPowers } from "./live-keys.ts";
import { type KeyKind, type MerchantRecord, readMerchants } from "./read-merchants.ts";

/** The changeable settings of a merchant; an undefined one stays as it is. */
export interface MerchantSettings {
  readonly name?: string | undefined;
  readonly origins?: readonly string[] | undefined;
  /** In minor units; null: the publishable key alone starts nothing. */
  readonly openAmountLimit?: bigint | null | undefined;
  readonly firstParty?: boolean | undefined;
  /** True if its server key may spend its user's quota on top-ups. */
  readonly sellsTopUps?: boolean | undefined;
  /** True if its server key may give back what its own sessions were paid. */
  readonly refunds?: boolean | undefined;
  /** Most that it gives back in a business day, in minor units; null: as much as it was paid. */
  readonly refundLimit?: bigint | null | undefined;
  readonly webhookUrl?: string | null | undefined;
}

/** A merchant to make. */
export interface NewMerchant extends MerchantSettings {
  readonly id: string;
  readonly name: string;
  /** A user of the service; the caller has asked the service whether there is one. */
  readonly userId: string;
}

/** A rotation of a merchant's keys of one kind. */
export interface KeyRotation {
  readonly kind: KeyKind;
  /** Ids of live keys that end. */
  readonly retire: readonly string[];
  /** True if it gets one more. */
  readonly newKey: boolean;
}

/** Keys that were just made: they are not shown again. */
type MadeKeys = Readonly<Partial<Record<KeyKind, string>>>;

/** A merchant after a change, with the keys that the change made. */
export interface ChangedMerchant {
  readonly merchant: MerchantRecord;
  readonly made: MadeKeys;
}

const noSuchMerchant: WriteRefusal = { code: "merchant_not_found", detail: "No merchant has this id." };

const isDisabled: WriteRefusal = {
  code: "merchant_disabled",
  detail: "The merchant is disabled for good: make another one.",
};

const lastKey: WriteRefusal = {
  code: "last_merchant_key",
  detail: "It would leave the merchant no key of that kind: ask for a new one with it, or disable the merchant.",
};

function tooManyKeys(live: readonly { readonly id: string }[]): WriteRefusal {
  const ids = live.map(({ id }) => id).join(" and ");
  return {
    code: "merchant_key_limit",
    detail: `The merchant has two live keys of that kind, ${ids} (the older one first): name the one to end in retire.`,
  };
}

function notLive(faults: readonly Fault[]): WriteRefusal {
  return {
    code: "merchant_key_not_found",
    detail: "An id in retire is of no live key of that kind: keys of the merchant lists them.",
    faults,
  };
}

/** Locks and reads a merchant: concurrent rotations take turns here. */
async function lockMerchant(tx: Tx, id: string): Promise<MerchantRecord | undefined> {
  await tx`select from broker.merchants where id = ${id} for no key update`;
  const [merchant] = await readMerchants(tx, { id });
  return merchant;
}

async function changed(tx: Tx, id: string, made: MadeKeys): Promise<ChangedMerchant> {
  const [merchant] = await readMerchants(tx, { id });
  if (merchant === undefined) throw new Error("a merchant that was just written is not there");
  return { merchant, made };
}

async function listOrigins(tx: Tx, merchantId: string, origins: readonly string[]): Promise<void> {
  const listed = [...new Set(origins)];
  await tx`
    delete from broker.merchant_origins where merchant_id = ${merchantId} and not (origin = any(${listed}))`;
  await tx`
    insert into broker.merchant_origins (merchant_id, origin)
    select ${merchantId}, origin from unnest(${listed}::text[]) as origin on conflict do nothing`;
}

/** Makes a merchant with a server key and a publishable key, and with a webhook secret if it has a webhook. */
export async function createMerchant(
  tx: Tx,
  merchant: NewMerchant,
  making: MerchantKeyCreation,
): Promise<ChangedMerchant> {
  const { id, name, userId, origins = [], openAmountLimit = null, webhookUrl = null } = merchant;
  const { firstParty = false, sellsTopUps = false, refunds = false, refundLimit = null } = merchant;
  const permitted = { first_party: firstParty, sells_top_ups: sellsTopUps, refunds };
  const limits = { open_amount_limit: openAmountLimit, refund_limit: refundLimit };
  const settings = { ...permitted, ...limits, webhook_url: webhookUrl };
  await tx`
    insert into broker.merchants ${tx({ id, name, user_id: userId, created_at: making.now, ...settings })}`;
  await listOrigins(tx, id, origins);
  const server = await addKey(tx, id, "server", making);
  const publishable = await addKey(tx, id, "publishable", making);
  if (webhookUrl === null) return changed(tx, id, { server, publishable });
  return changed(tx, id, { server, publishable, webhook: await addKey(tx, id, "webhook", making) });
}

/**
 * Changes a merchant's settings, and with its powers those of all its live server keys; a waiting request for powers
 * ends where the settings name powers. Tills and quota pages that are stopped by it are ended for good; pages that show
 * a code are refused while their origin is not listed. The first webhook brings the secret that it is signed with.
 */
export async function changeMerchant(
  tx: Tx,
  id: string,
  settings: MerchantSettings,
  making: MerchantKeyCreation,
): Promise<ChangedMerchant | WriteRefusal> {
  const before = await lockMerchant(tx, id);
  if (before === undefined) return noSuchMerchant;
  if (before.disabledAt !== null) return isDisabled;
  const { firstParty, sellsTopUps, refunds } = settings;
  if (firstParty !== undefined || sellsTopUps !== undefined || refunds !== undefined) {
    await replaceChanges(tx, id, making.now);
  }
  const { name = before.name, openAmountLimit = before.openAmountLimit, refundLimit = before.refundLimit } = settings;
  const { webhookUrl = before.webhookUrl, origins } = settings;
  await tx`
    update broker.merchants set name = ${name}, open_amount_limit = ${openAmountLimit}, refund_limit = ${refundLimit},
      first_party = ${firstParty ?? before.firstParty}, sells_top_ups = ${sellsTopUps ?? before.sellsTopUps},
      refunds = ${refunds ?? before.refunds}, webhook_url = ${webhookUrl}
    where id = ${id}`;
  await setKeyPowers(tx, id, settings);
  if (origins !== undefined) await listOrigins(tx, id, origins);
  await endStoppedSessions(tx, id, making.now);
  const isSigned = before.keys.some(({ kind }) => kind === "webhook");
  if (webhookUrl === null || isSigned) return changed(tx, id, {});
  return changed(tx, id, { webhook: await addKey(tx, id, "webhook", making) });
}

function refuseRotation({ disabledAt, keys }: MerchantRecord, rotation: KeyRotation): WriteRefusal | undefined {
  const { kind, retire, newKey } = rotation;
  if (disabledAt !== null) return isDisabled;
  const live = keys.filter((key) => key.kind === kind);
  const unknown = retire.flatMap((id, index): Fault[] =>
    live.some((key) => key.id === id) ? [] : [{ pointer: `/retire/${index}`, detail: "is no live key of that kind" }],
  );
  if (unknown.length > 0) return notLive(unknown);
  const left = live.filter(({ id }) => !retire.includes(id)).length;
  if (!newKey && left === 0) return lastKey;
  return newKey && left >= MOST_LIVE_KEYS ? tooManyKeys(live) : undefined;
}

/**
 * Ends keys of a merchant, gives it a new one, or both. A merchant rotates without downtime by two rotations: the first
 * adds a key, and the second ends the old one, until which both are live.
 */
export async function rotateMerchantKey(
  tx: Tx,
  id: string,
  rotation: KeyRotation,
  making: MerchantKeyCreation,
): Promise<ChangedMerchant | WriteRefusal> {
  const merchant = await lockMerchant(tx, id);
  if (merchant === undefined) return noSuchMerchant;
  const refusal = refuseRotation(merchant, rotation);
  if (refusal !== undefined) return refusal;
  const { kind, retire, newKey } = rotation;
  await retireKeys(tx, id, kind, { ids: retire, now: making.now });
  return changed(tx, id, newKey ? { [kind]: await addKey(tx, id, kind, making) } : {});
}

/**
 * Disables a merchant for good: its keys and the sessions of its pages are refused at once. One that is disabled
 * already keeps its first date.
 */
export async function disableMerchant(tx: Tx, id: string, now: Date): Promise<ChangedMerchant | WriteRefusal> {
  const merchant = await lockMerchant(tx, id);
  if (merchant === undefined) return noSuchMerchant;
  await tx`update broker.merchants set disabled_at = coalesce(disabled_at, ${now}) where id = ${id}`;
  await endStoppedSessions(tx, id, now);
  return changed(tx, id, {});
}
