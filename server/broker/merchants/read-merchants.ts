import type { Sql, Tx } from "../../database/connect.ts";
import { keyIdOf } from "./key-id.ts";
import { readWebhookStates, type WebhookState } from "./webhook-states.ts";

/** The kinds of a merchant's keys: for its backend, for its pages, or to sign its webhook's messages. */
export type KeyKind = "server" | "publishable" | "webhook";

/** A live key, by its id. */
interface LiveKey {
  readonly id: string;
  readonly kind: KeyKind;
  readonly createdAt: Date;
}

interface MerchantRow {
  readonly id: string;
  readonly name: string;
  readonly userId: string;
  readonly origins: readonly string[];
  /** In minor units. */
  readonly openAmountLimit: bigint | null;
  readonly firstParty: boolean;
  readonly sellsTopUps: boolean;
  readonly refunds: boolean;
  /** In minor units, for a business day. */
  readonly refundLimit: bigint | null;
  readonly webhookUrl: string | null;
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
}

/** A merchant with the ids of its live keys and the state of its webhook: never with a secret. */
export interface MerchantRecord extends MerchantRow {
  /** The live keys, oldest first; none of a disabled merchant, though its webhook is signed as before. */
  readonly keys: readonly LiveKey[];
  readonly webhook: WebhookState;
}

/** The selection of merchants to read: one of them, or a page of the list. */
export interface MerchantFilter {
  readonly id?: string;
  /** The list goes on below this id. */
  readonly before?: string | undefined;
  readonly limit?: number;
}

interface KeyRow {
  readonly merchantId: string;
  readonly kind: KeyKind;
  readonly hash: Uint8Array | null;
  readonly secretId: string | null;
  readonly createdAt: Date;
}

/**
 * Reads merchants with their live keys and webhook states, newest first: ids are of version 7, so that the greatest is
 * the newest.
 */
export async function readMerchants(
  sql: Sql | Tx,
  { id, before, limit }: MerchantFilter = {},
): Promise<readonly MerchantRecord[]> {
  const rows = await sql<MerchantRow[]>`
    select id, name, user_id as "userId", open_amount_limit as "openAmountLimit", first_party as "firstParty",
      sells_top_ups as "sellsTopUps", refunds, refund_limit as "refundLimit", webhook_url as "webhookUrl",
      created_at as "createdAt", disabled_at as "disabledAt",
      array(select origin from broker.merchant_origins where merchant_id = id order by origin) as origins
    from broker.merchants
    where true
      ${id === undefined ? sql`` : sql`and id = ${id}`}
      ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit ?? null}`;
  const ids = rows.map((row) => row.id);
  const live = rows.filter(({ disabledAt }) => disabledAt === null).map((row) => row.id);
  const keys = await readLiveKeys(sql, live);
  const states = await readWebhookStates(sql, ids);
  return rows.map((row) => ({
    ...row,
    keys: keys.get(row.id) ?? [],
    webhook: states.get(row.id) ?? { waiting: 0, failure: null },
  }));
}

async function readLiveKeys(sql: Sql | Tx, merchantIds: string[]): Promise<ReadonlyMap<string, LiveKey[]>> {
  const rows = await sql<KeyRow[]>`
    select merchant_id as "merchantId", kind, key_hash as hash, null as "secretId", created_at as "createdAt"
    from broker.merchant_keys where merchant_id = any(${merchantIds}) and revoked_at is null
    union all
    select merchant_id, 'webhook', null, id, created_at
    from broker.merchant_webhook_secrets where merchant_id = any(${merchantIds}) and revoked_at is null
    order by "createdAt", kind`;
  const keys = rows.map(({ merchantId, kind, hash, secretId, createdAt }) => ({
    merchantId,
    key: { id: hash === null ? (secretId ?? "") : keyIdOf(hash), kind, createdAt },
  }));
  const grouped = Map.groupBy(keys, ({ merchantId }) => merchantId);
  return new Map([...grouped].map(([id, own]) => [id, own.map(({ key }) => key)]));
}
