import type { Merchant, MerchantWithKeys } from "../../../src/contract/broker/operator-merchants.ts";
import { type BrokerContext, toInstant, toNumber } from "../access/broker-context.ts";
import type { AskedMerchant } from "./ask-powers.ts";
import { changeAnswer } from "./change-answer.ts";
import type { MerchantRecord } from "./read-merchants.ts";

type Currency = Pick<BrokerContext, "currency">;

/** Answers a merchant to operators: its settings, the ids of its live keys, and the state of its webhook. */
export function merchantAnswer(currency: Currency, merchant: MerchantRecord): Merchant {
  const { id, name, userId, origins, firstParty, sellsTopUps, refunds, webhookUrl, webhook } = merchant;
  const limitOf = (limit: bigint | null) => (limit === null ? null : toNumber(currency, limit));
  return {
    id,
    name,
    user_id: userId,
    origins: [...origins],
    open_amount_limit: limitOf(merchant.openAmountLimit),
    first_party: firstParty,
    sells_top_ups: sellsTopUps,
    refunds,
    refund_limit: limitOf(merchant.refundLimit),
    webhook_url: webhookUrl,
    created_at: toInstant(merchant.createdAt),
    disabled_at: merchant.disabledAt === null ? null : toInstant(merchant.disabledAt),
    keys: merchant.keys.map((key) => ({ id: key.id, kind: key.kind, created_at: toInstant(key.createdAt) })),
    webhook_waiting: webhook.waiting,
    webhook_failure: webhook.failure,
  };
}

/**
 * Answers a changed merchant with the keys that the change made, which only this answer shows, and the merchant change
 * that it asked for.
 */
export function merchantWithKeys(currency: Currency, { merchant, made, change }: AskedMerchant): MerchantWithKeys {
  const { server = null, publishable = null, webhook = null } = made;
  const keys = { server_key: server, publishable_key: publishable, webhook_secret: webhook };
  const asked = change === undefined ? null : changeAnswer(change, change.created_at);
  return { ...merchantAnswer(currency, merchant), change: asked, ...keys };
}

/** Returns an answer without its keys: this form is stored, to be repeated to a copy of the request. */
export function withoutKeys(answer: MerchantWithKeys): MerchantWithKeys {
  return { ...answer, server_key: null, publishable_key: null, webhook_secret: null };
}
