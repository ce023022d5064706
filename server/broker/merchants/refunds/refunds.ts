import type { BrokerContext } from "../../access/broker-context.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import { readOwnPayment } from "../payments/own-payment.ts";
import { readPaymentRefunds } from "../payments/payment-refunds.ts";
import { refundsOfPayment } from "../payments/refund-store.ts";
import { refundAnswer } from "./refund-answer.ts";

/**
 * Lists the refunds of a merchant's payment, newest first: those that its backend asked for, in every state, and those
 * that others made.
 */
export function refunds(broker: BrokerContext): GatedHandler<"merchant", "refunds"> {
  return async ({ principal, params }, service) => {
    const { payment } = await readOwnPayment(broker, principal, service, params.payment_id);
    const own = await refundsOfPayment(broker.sql, principal.merchantId, payment.id);
    const made = await readPaymentRefunds(broker, service, payment, own);
    const others = made.filter(({ id }) => !own.some((row) => row.id === id)).map(({ minor: _, ...refund }) => refund);
    const all = [...own.map((row) => refundAnswer(broker, row)), ...others];
    return { body: all.toSorted((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at)) };
  };
}
