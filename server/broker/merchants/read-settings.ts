import type { Fault } from "../../../src/contract/shared/errors.ts";
import { ApiError } from "../../../src/contract/shared/errors.ts";
import { MoneyError, numberToAmountText, parsePositiveAmount } from "../../../src/money.ts";
import { createWebhookNetwork } from "../../webhooks/webhook-network.ts";
import { webhookUrlFault } from "../../webhooks/webhook-url-fault.ts";
import type { BrokerContext } from "../access/broker-context.ts";
import type { MerchantSettings } from "./manage-merchants.ts";

/** The settings in the body of a request that makes or changes a merchant. */
export interface SettingsBody {
  readonly name?: string | undefined;
  readonly origins?: readonly string[] | undefined;
  readonly open_amount_limit?: number | null | undefined;
  readonly first_party?: boolean | undefined;
  readonly sells_top_ups?: boolean | undefined;
  readonly refunds?: boolean | undefined;
  readonly refund_limit?: number | null | undefined;
  readonly webhook_url?: string | null | undefined;
}

function readLimit(
  body: SettingsBody,
  name: "open_amount_limit" | "refund_limit",
  digits: number,
  faults: Fault[],
): MerchantSettings["openAmountLimit"] {
  const limit = body[name];
  if (limit === null || limit === undefined) return limit;
  try {
    return parsePositiveAmount(numberToAmountText(limit), digits);
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    faults.push({ pointer: `/${name}`, detail: error.message });
    return undefined;
  }
}

/**
 * Reads a merchant's settings from a request's body; throws `invalid_request` with the faults that its schema does not
 * find: a limit that is no amount of the currency, and a webhook to which nothing could be sent.
 */
export function readSettings(
  { currency, merchantWebhooks = {} }: Pick<BrokerContext, "currency" | "merchantWebhooks">,
  body: SettingsBody,
): MerchantSettings {
  const faults: Fault[] = [];
  const openAmountLimit = readLimit(body, "open_amount_limit", currency.digits, faults);
  const refundLimit = readLimit(body, "refund_limit", currency.digits, faults);
  const network = createWebhookNetwork(merchantWebhooks);
  const detail = typeof body.webhook_url === "string" ? webhookUrlFault(body.webhook_url, network) : undefined;
  if (detail !== undefined) faults.push({ pointer: "/webhook_url", detail });
  if (faults.length > 0) throw new ApiError("invalid_request", { detail: "See errors for each fault.", faults });
  const { name, origins, first_party: firstParty, sells_top_ups: sellsTopUps, refunds } = body;
  const powers = { firstParty, sellsTopUps, refunds };
  return { name, origins, openAmountLimit, refundLimit, ...powers, webhookUrl: body.webhook_url };
}
