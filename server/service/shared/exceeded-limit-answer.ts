import type { ExceededLimit } from "../../../src/contract/shared/exceeded-limit.ts";
import type * as ledger from "../../ledger/decide/exceeded-limit.ts";
import { type ServiceContext, toNumber } from "./service-context.ts";

/**
 * Builds the `exceeded_limit` of an answer from the stored JSON text of the limit that a payment or transfer exceeded.
 */
export function exceededLimitAnswer(
  text: string,
  { currency, time }: Pick<ServiceContext, "currency" | "time">,
): ExceededLimit {
  const { name, amount, left, untilDay } = JSON.parse(text) as ledger.PassedLimit;
  return {
    name,
    amount: toNumber(currency, BigInt(amount)),
    left: toNumber(currency, BigInt(left)),
    until: untilDay === null ? null : time.startOf(untilDay).toISOString(),
  };
}
