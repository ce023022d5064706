import type { Recharge } from "../../../../src/contract/broker/broker.ts";
import { type BrokerContext, toInstant, toNumber } from "../../access/broker-context.ts";
import { limitOf } from "../../upstream/resolve-outcome.ts";
import type { RechargeRow } from "./recharge-store.ts";

/** Answers a top-up to its till and its merchant: of the receiver it has the masked name alone. */
export function rechargeAnswer(broker: BrokerContext, row: RechargeRow): Recharge {
  const { id, state, masked_name: name, amount, currency, till, transaction_reference: reference, reason } = row;
  return {
    ...{ id, state, name, currency, amount: toNumber(broker, amount), created_at: toInstant(row.created_at) },
    ...(till === "" ? {} : { till }),
    ...(reference === null ? {} : { reference }),
    ...(reason === null ? {} : { reason }),
    ...limitOf(row.exceeded_limit),
    ...(row.corrected_at === null ? {} : { corrected_at: toInstant(row.corrected_at) }),
  };
}
