import type { Fault } from "../../../src/contract/errors.ts";
import { ApiError } from "../../../src/contract/errors.ts";
import { MoneyError, numberToAmountText, parsePositiveAmount } from "../../../src/money.ts";
import type { BrokerContext } from "../broker-context.ts";
import type { MerchantSettings } from "./manage-merchants.ts";

/** The settings of a body, as the contract's rows have them. */
export interface SettingsBody {
  readonly name?: string | undefined;
  readonly origins?: readonly string[] | undefined;
  readonly open_amount_limit?: number | null | undefined;
  readonly first_party?: boolean | undefined;
  readonly webhook_url?: string | null | undefined;
}

function webhookFault(url: string | null | undefined): string | undefined {
  if (url === null || url === undefined) return undefined;
  if (!URL.canParse(url)) return "must be an address that can be read";
  const { username, password, hash } = new URL(url);
  if (username !== "" || password !== "") return "must have no credentials: every message is signed";
  return hash === "" ? undefined : "must have no fragment";
}

function readLimit(
  limit: number | null | undefined,
  digits: number,
  faults: Fault[],
): MerchantSettings["openAmountLimit"] {
  if (limit === null || limit === undefined) return limit;
  try {
    return parsePositiveAmount(numberToAmountText(limit), digits);
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    faults.push({ pointer: "/open_amount_limit", detail: error.message });
    return undefined;
  }
}

/** Reads what a body says of a merchant's settings; throws `invalid_request` with every fault beyond its schema. */
export function readSettings({ currency }: Pick<BrokerContext, "currency">, body: SettingsBody): MerchantSettings {
  const faults: Fault[] = [];
  const openAmountLimit = readLimit(body.open_amount_limit, currency.digits, faults);
  const detail = webhookFault(body.webhook_url);
  if (detail !== undefined) faults.push({ pointer: "/webhook_url", detail });
  if (faults.length > 0) throw new ApiError("invalid_request", { detail: "See errors for each fault.", faults });
  const { name, origins, first_party: firstParty, webhook_url: webhookUrl } = body;
  return { name, origins, openAmountLimit, firstParty, webhookUrl };
}
