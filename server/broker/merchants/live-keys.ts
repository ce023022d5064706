import type { Tx } from "../../database/connect.ts";
import { createOpaqueToken, hashToken } from "../principals/opaque-token.ts";
import { keyIdOf } from "./key-id.ts";
import type { KeyKind } from "./read-merchants.ts";
import { addWebhookSecret, type WebhookSecretMaking } from "./webhook-secrets.ts";

/** Live keys of one kind at most: the one that is used and the one that follows it. */
export const MOST_LIVE_KEYS = 2;

const PREFIXES = Object.freeze({ server: "sk_", publishable: "pk_" } as const);

/** Gives a merchant one more key, and answers it: it is not shown again. */
export async function addKey(tx: Tx, merchantId: string, kind: KeyKind, making: WebhookSecretMaking): Promise<string> {
  if (kind === "webhook") return addWebhookSecret(tx, merchantId, making);
  const key = createOpaqueToken(PREFIXES[kind], making.random);
  const row = { key_hash: hashToken(key), merchant_id: merchantId, kind, created_at: making.now };
  await tx`insert into broker.merchant_keys ${tx(row)}`;
  return key;
}

/** Ends what server keys started that sells or shows a person; which key it was is not kept, so that all of it ends. */
async function endTimedSessions(tx: Tx, merchantId: string, now: Date): Promise<void> {
  await tx`
    update broker.widget_sessions set ended_at = ${now}
    where merchant_id = ${merchantId} and kind in ('recharge', 'quota') and ended_at is null and expires_at > ${now}`;
}

/**
 * Ends keys of one kind, named by their ids: they are refused from now on, and so are the tills and quotas of a
 * server key, which may have become known.
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
