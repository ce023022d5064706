import type { MerchantEvent, MerchantEventType } from "../../../../src/contract/broker/merchant-events.ts";
import { amountToNumber, numberToAmountText, parseAmount } from "../../../../src/money.ts";
import { type BrokerContext, toInstant } from "../../access/broker-context.ts";
import type { GrantedOwn } from "../../access/policy/gate.ts";
import { detailsOf } from "../payments/own-sessions.ts";
import { type ApprovedRefund, refundedBy } from "../payments/payment-refunds.ts";
import type { WebhookSession } from "./webhook-session.ts";

/** The payment of a payment session, with the fields that the service answers to the broker. */
export type SessionPayment = Awaited<ReturnType<GrantedOwn<"watch">["transaction"]>>["body"];
/** The code of a payment session, with the fields that the service answers to the broker. */
export type SessionCode = Awaited<ReturnType<GrantedOwn<"watch">["transactionQr"]>>["body"];

/** A merchant event to add to the outbox. */
export interface NewMerchantEvent {
  readonly id: string;
  readonly merchantId: string;
  readonly sessionId: string;
  readonly type: MerchantEventType;
  /** In minor units; zero unless it is a refund. */
  readonly refundedAmount: bigint;
  readonly body: string;
}

/** The dependencies of making merchant events. */
export interface EventCreation {
  readonly newId: () => string;
  readonly clock: () => Date;
  readonly currency: BrokerContext["currency"];
}

function newEvent(
  { newId }: EventCreation,
  session: WebhookSession,
  refundedAmount: bigint,
  message: MerchantEvent,
): NewMerchantEvent {
  const { id: sessionId, merchantId } = session;
  return { id: newId(), merchantId, sessionId, type: message.type, refundedAmount, body: JSON.stringify(message) };
}

function commonData(session: WebhookSession, { amount, currency }: SessionPayment | SessionCode) {
  const { id, order, reference } = session;
  return { session_id: id, ...(order === null ? {} : { order }), reference, amount, currency, ...detailsOf(session) };
}

function paymentData(session: WebhookSession, payment: SessionPayment) {
  return { ...commonData(session, payment), transaction_id: payment.id, paid_at: payment.created_at };
}

/** Returns how much of a payment was given back, in minor units. */
export function refundedMinor({ currency }: Pick<EventCreation, "currency">, { reversed_amount = 0 }: SessionPayment) {
  return parseAmount(numberToAmountText(reversed_amount), currency.digits);
}

/** Makes `payment.paid` of a settled payment, unless it was paid before the merchant had a webhook. */
export function paidEvents(
  making: EventCreation,
  session: WebhookSession,
  payment: SessionPayment,
): readonly NewMerchantEvent[] {
  const { created_at: timestamp } = payment;
  if (new Date(timestamp) < session.webhookSince) return [];
  return [newEvent(making, session, 0n, { type: "payment.paid", timestamp, data: paymentData(session, payment) })];
}

function toldRefund({ id, transaction_id, amount, reason }: ApprovedRefund) {
  return { id, transaction_id, amount, ...(reason === undefined ? {} : { reason }) };
}

/**
 * Makes `payment.refunded` of a payment: one event for each of its refunds, which come newest first, with the sum given
 * back by then; one event of the whole sum, without a refund, where they do not come to all that was given back.
 */
export function refundEvents(
  making: EventCreation,
  session: WebhookSession,
  payment: SessionPayment,
  refunds: readonly ApprovedRefund[],
): readonly NewMerchantEvent[] {
  const { digits } = making.currency;
  const event = (timestamp: string, minor: bigint, refund?: ApprovedRefund) => {
    const told = refund === undefined ? {} : { refund: toldRefund(refund) };
    const data = { ...paymentData(session, payment), refunded_amount: amountToNumber(minor, digits), ...told };
    return newEvent(making, session, minor, { type: "payment.refunded", timestamp, data });
  };
  const total = refundedMinor(making, payment);
  if (refundedBy(refunds) !== total) return [event(toInstant(making.clock()), total)];
  return refunds.map((refund, index) => event(refund.created_at, refundedBy(refunds.slice(index)), refund));
}

/**
 * Makes the `payment.paid` event of a code whose payment the broker may not see: another entity's payer paid another
 * entity's user.
 */
export function unseenPaymentEvent(
  making: EventCreation,
  session: WebhookSession,
  code: SessionCode,
): NewMerchantEvent {
  const { transaction_id } = code;
  const data = { ...commonData(session, code), ...(transaction_id === undefined ? {} : { transaction_id }) };
  return newEvent(making, session, 0n, { type: "payment.paid", timestamp: toInstant(making.clock()), data });
}

/** Makes the `payment.expired` event of a code that expired unpaid. */
export function expiredEvent(making: EventCreation, session: WebhookSession, code: SessionCode): NewMerchantEvent {
  const data = commonData(session, code);
  return newEvent(making, session, 0n, { type: "payment.expired", timestamp: code.expires_at, data });
}
