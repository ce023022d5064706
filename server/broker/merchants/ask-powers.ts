import type { Tx } from "../../database/connect.ts";
import type { WriteRefusal } from "../../shared/answer-once.ts";
import type { RecordCreation } from "../access/broker-context.ts";
import { hashToken } from "../access/opaque-token.ts";
import { hasSecondOperator } from "../access/second-operator.ts";
import { askChange, type ChangeRow } from "./change-store.ts";
import type { ChangedMerchant, MerchantSettings } from "./manage-merchants.ts";
import type { MerchantRecord } from "./read-merchants.ts";

/**
 * The powers that one admin alone cannot give a merchant: to show any user's quota, to sell top-ups, which the quota of
 * the merchant's user pays for, and to give back what its sessions were paid.
 */
type Powers = Readonly<Record<Power, boolean>>;
type Power = (typeof POWERS)[number];
const POWERS = ["firstParty", "sellsTopUps", "refunds"] as const;

/** Makes a value for each of the powers. */
function eachPower<T>(make: (power: Power) => T): Readonly<Record<Power, T>> {
  return { firstParty: make("firstParty"), sellsTopUps: make("sellsTopUps"), refunds: make("refunds") };
}

/**
 * A merchant after a request, with the keys that the request made, and the merchant change that waits for a second
 * admin, if the request led to one.
 */
export interface AskedMerchant extends ChangedMerchant {
  readonly change?: ChangeRow;
}

/** True if a request asks for a power that the merchant does not have; a merchant that is yet to be made has none. */
export function isMore(asked: Powers, has?: Powers): boolean {
  return POWERS.some((power) => asked[power] && has?.[power] !== true);
}

/**
 * Splits requested settings: `asked` has the powers that they turn on, held already or not; `alone` has the rest,
 * powers turned off included. A second admin agrees only to powers that the merchant lacks.
 */
export function splitPowers<S extends MerchantSettings>(settings: S): { readonly alone: S; readonly asked: Powers } {
  const alone = { ...settings, ...eachPower((power) => (settings[power] === true ? undefined : settings[power])) };
  return { alone, asked: eachPower((power) => settings[power] === true) };
}

/** True if a new key of this kind takes a second admin's agreement: a server key of a merchant that has a power. */
export function keyHasPowers(kind: string, merchant: MerchantRecord): boolean {
  return kind === "server" && isMore(merchant);
}

/**
 * Returns the refusal of a request that takes a second admin where none can sign in to agree; undefined where one can.
 */
export async function refuseAlone(tx: Tx, operatorId: string, command: string): Promise<WriteRefusal | undefined> {
  if (await hasSecondOperator(tx, operatorId, ["admin"])) return undefined;
  const detail =
    "This takes a second admin, and there is none who can sign in: make one (npm run operator -- create --role " +
    `admin), or do it at the machine: npm run merchant -- ${command}.`;
  return { code: "not_allowed", detail };
}

/**
 * Stores a merchant change for the asked powers that the merchant lacks, with its live server keys, for a second admin
 * to agree to, and returns `changed` with it; where the merchant lacks none of them, stores nothing and returns
 * `changed` as it is.
 */
export async function askPowers(
  tx: Tx,
  changed: ChangedMerchant,
  { asked, madeBy }: { readonly asked: Powers; readonly madeBy: string },
  making: RecordCreation,
): Promise<AskedMerchant> {
  const { merchant } = changed;
  const wanted = eachPower((power) => asked[power] && !merchant[power]);
  if (!isMore(wanted)) return changed;
  return { ...changed, change: await askChange(tx, { ...wanted, merchantId: merchant.id, madeBy }, making) };
}

/**
 * Stores a merchant change by which the server key that was just made gets the powers that its merchant has already,
 * and returns `changed` with it; where no server key was made, stores nothing and returns `changed` as it is. Only a
 * second admin has to agree, not the merchant's user.
 */
export async function askForKey(
  tx: Tx,
  changed: ChangedMerchant,
  madeBy: string,
  making: RecordCreation,
): Promise<AskedMerchant> {
  const { merchant, made } = changed;
  if (made.server === undefined) return changed;
  const keyHash = hashToken(made.server);
  const asked = { ...eachPower(() => false), merchantId: merchant.id, keyHash, madeBy };
  return { ...changed, change: await askChange(tx, asked, making) };
}
