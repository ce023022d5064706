import type { Refund } from "../../../../src/contract/broker/broker.ts";
import { ApiError, type ErrorCode } from "../../../../src/contract/shared/errors.ts";
import { type BrokerContext, toInstant, toNumber } from "../../access/broker-context.ts";
import { limitOf } from "../../upstream/resolve-outcome.ts";
import type { RefundRow } from "../payments/refund-store.ts";

/** The refusals that a failed refund is answered with, each time the same; any other failure is a state. */
const REFUSALS: Readonly<Partial<Record<ErrorCode, string>>> = Object.freeze({
  limit_exceeded: "The merchant gave back as much today as its limit allows. Nothing was given back.",
  transaction_not_reversible: "The payment is not paid, or was given back already, all of it.",
  refund_too_large: "Less than that is left of the payment: its refunded_amount tells what was given back.",
  insufficient_balance: "The merchant's user has not that much available. Nothing was given back.",
  balance_limit: "The payer's balance would become too large. Nothing was given back.",
});

/** Returns the refusal of a refund that failed for a reason that its caller is told; undefined for any other refund. */
export function refusalOf(
  { state, reason, exceeded_limit: limit }: RefundRow,
  replayed: boolean,
): ApiError | undefined {
  const code = Object.keys(REFUSALS).find((known) => known === reason) as ErrorCode | undefined;
  if (state !== "failed" || code === undefined) return undefined;
  const { exceeded_limit: exceededLimit } = limitOf(limit);
  return new ApiError(code, { detail: REFUSALS[code] ?? "", ...(exceededLimit && { exceededLimit }), replayed });
}

/** Answers a refund that the merchant's backend asked for. */
export function refundAnswer(broker: Pick<BrokerContext, "currency">, row: RefundRow): Refund {
  const { id, payment_id, state, currency, note, transaction_id: transactionId } = row;
  return {
    ...{ id, payment_id, state, amount: toNumber(broker, row.amount), currency },
    ...(note === null ? {} : { reason: note }),
    ...(transactionId === null ? {} : { transaction_id: transactionId }),
    created_at: toInstant(row.created_at),
  };
}
