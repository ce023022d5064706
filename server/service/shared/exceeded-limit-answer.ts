import type { ExceededLimit } from "../../../src/contract/shared/exceeded-limit.ts";
import type * as ledger from "../../ledger/decide/exceeded-limit.ts";
import { type ServiceContext, toNumber } from "./service-context.ts";

/** The limit that a rejected payment or transfer passed, in the shape of every answer. */
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
