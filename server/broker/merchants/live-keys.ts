import type { Tx } from "../../database/connect.ts";
import { createOpaqueToken, hashToken } from "../access/opaque-token.ts";
import { keyIdOf } from "./key-id.ts";
import type { MerchantSettings } from "./manage-merchants.ts";
import type { KeyKind } from "./read-merchants.ts";
import { addWebhookSecret, type WebhookSecretCreation } from "./webhook-secrets.ts";

/** The most live keys of one kind that a merchant may have: the one in use and the one that follows it. */
export const MOST_LIVE_KEYS = 2;

/** The dependencies of making a merchant's keys. */
export interface MerchantKeyCreation extends WebhookSecretCreation {
  /** The operator who makes them over HTTP; undefined at the command line, whose keys have their merchant's powers. */
  readonly madeBy?: string | undefined;
}

const PREFIXES = Object.freeze({ server: "sk_", publishable: "pk_" } as const);

/**
 * Adds a key of a kind to a merchant, and returns it: it is not shown again. A server key that is made over HTTP has
 * none of the merchant's powers until a second admin has agreed that it may have them.
 */
export async function addKey(tx: Tx, merchantId: string, kind: KeyKind, making: MerchantKeyCreation): Promise<string> {
  if (kind === "webhook") return addWebhookSecret(tx, merchantId, making);
  const { random, now, madeBy = null } = making;
  const key = createOpaqueToken(PREFIXES[kind], random);
  const isAgreed = kind === "server" && madeBy === null;
  await tx`
    insert into broker.merchant_keys
      (key_hash, merchant_id, kind, created_at, made_by, first_party, sells_top_ups, refunds)
    select ${hashToken(key)}, id, ${kind}, ${now}, ${madeBy}, first_party and ${isAgreed},
      sells_top_ups and ${isAgreed}, refunds and ${isAgreed}
    from broker.merchants where id = ${merchantId}`;
  return key;
}

/** Gives powers to all live server keys of a merchant, or takes them from all of them; what is undefined stays. */
export async function setKeyPowers(
  tx: Tx,
  merchantId: string,
  { firstParty, sellsTopUps, refunds }: Pick<MerchantSettings, "firstParty" | "sellsTopUps" | "refunds">,
): Promise<void> {
  await tx`
    update broker.merchant_keys
    set first_party = coalesce(${firstParty ?? null}, first_party),
      sells_top_ups = coalesce(${sellsTopUps ?? null}, sells_top_ups), refunds = coalesce(${refunds ?? null}, refunds)
    where merchant_id = ${merchantId} and kind = 'server' and revoked_at is null`;
}

/** Ends the till and quota sessions of a merchant; the key that started one is not kept, so that all of them end. */
async function endTimedSessions(tx: Tx, merchantId: string, now: Date): Promise<void> {
  await tx`
    update broker.widget_sessions set ended_at = ${now}
    where merchant_id = ${merchantId} and kind in ('recharge', 'quota') and ended_at is null and expires_at > ${now}`;
}

/**
 * Revokes keys of one kind, named by their ids: they are refused from now on. With a server key, which may have leaked,
 * all till and quota sessions of the merchant end.
 */
export async function retireKeys(
  tx: Tx,
  merchantId: string,
  kind: KeyKind,
  { ids, now }: { readonly ids: readonly string[]; readonly now: Date },
): Promise<void> {
  if (kind === "webhook") {
    await tx`
      update broker.merchant_webhook_secrets set revoked_at = ${now}
      where merchant_id = ${merchantId} and id = any(${[...ids]}) and revoked_at is null`;
    return;
  }
  const rows = await tx<{ hash: Uint8Array }[]>`
    select key_hash as hash from broker.merchant_keys
    where merchant_id = ${merchantId} and kind = ${kind} and revoked_at is null`;
  for (const { hash } of rows.filter((row) => ids.includes(keyIdOf(row.hash)))) {
    await tx`update broker.merchant_keys set revoked_at = ${now} where key_hash = ${hash}`;
  }
  if (kind === "server" && ids.length > 0) await endTimedSessions(tx, merchantId, now);
}
