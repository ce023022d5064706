import type { Tx } from "../../database/connect.ts";
import type { WriteRefusal } from "../../shared/answer-once.ts";
import { hashToken } from "../access/opaque-token.ts";

import { hasSecondOperator } from "../access/second-operator.ts";
import { askChange, type ChangeCreation, type ChangeRow } from "./change-store.ts";

import type { ChangedMerchant, MerchantSettings } from "./manage-merchants.ts";
import type { MerchantRecord } from "./read-merchants.ts";

/** The powers that one admin alone cannot give a merchant: to show any user's quota, and to spend its user's. */
interface Powers {
  readonly firstParty: boolean;
  readonly sellsTopUps: boolean;
}

/** A changed merchant, and what of the change waits for a second admin. */
export interface AskedMerchant extends ChangedMerchant {
  readonly change?: ChangeRow;
}

/** True if the request asks for powers that the merchant, where there is one already, does not have. */
export function isMore({ firstParty, sellsTopUps }: Powers, has?: Powers): boolean {
  return (firstParty && has?.firstParty !== true) || (sellsTopUps && has?.sellsTopUps !== true);
}

/** The settings that one admin changes alone, and the powers that are asked for beside them. */
export function splitPowers<S extends MerchantSettings>(settings: S): { readonly alone: S; readonly asked: Powers } {
  const { firstParty, sellsTopUps } = settings;
  const alone = {
    ...settings,
    firstParty: firstParty === true ? undefined : firstParty,
    sellsTopUps: sellsTopUps === true ? undefined : sellsTopUps,
  };
  return { alone, asked: { firstParty: firstParty === true, sellsTopUps: sellsTopUps === true } };
}

/** True if a server key that is made now would need powers that its maker alone cannot give. */
export function keyHasPowers(kind: string, { firstParty, sellsTopUps }: MerchantRecord): boolean {
  return kind === "server" && (firstParty || sellsTopUps);
}

/** Why powers cannot be asked for; undefined where a second admin may agree. */
export async function refuseAlone(tx: Tx, operatorId: string, command: string): Promise<WriteRefusal | undefined> {
  if (await hasSecondOperator(tx, operatorId, ["admin"])) return undefined;
  const detail =
    "This takes a second admin, and there is none who can sign in: make one (npm run operator -- create --role " +
    `admin), or do it at the machine: npm run merchant -- ${command}.`;
  return { code: "not_allowed", detail };
}

/** Writes down which powers are asked for beyond those that the merchant has, and for which server keys. */
export async function askPowers(
  tx: Tx,
  changed: ChangedMerchant,
  { asked, madeBy }: { readonly asked: Powers; readonly madeBy: string },
  making: ChangeCreation,
): Promise<AskedMerchant> {
  const { merchant } = changed;
  const wanted = {
    firstParty: asked.firstParty && !merchant.firstParty,
    sellsTopUps: asked.sellsTopUps && !merchant.sellsTopUps,
  };
  if (!isMore(wanted)) return changed;
  return { ...changed, change: await askChange(tx, { ...wanted, merchantId: merchant.id, madeBy }, making) };
}

/** Asks that a server key that was just made may do what its merchant may. */
export async function askForKey(
  tx: Tx,
  changed: ChangedMerchant,
  madeBy: string,
  making: ChangeCreation,
): Promise<AskedMerchant> {
  const { merchant, made } = changed;
  if (made.server === undefined) return changed;
  const keyHash = hashToken(made.server);
  const asked = { merchantId: merchant.id, firstParty: false, sellsTopUps: false, keyHash, madeBy };
  return { ...changed, change: await askChange(tx, asked, making) };
}
