import type { MerchantEvent, MerchantEventType } from "../../../../src/contract/broker/merchant-events.ts";
import { numberToAmountText, parseAmount } from "../../../../src/money.ts";
import { toInstant } from "../../access/broker-context.ts";
import type { GrantedOwn } from "../../access/policy/gate.ts";
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
  readonly currency: { readonly digits: number };
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

function commonData({ id, order, reference }: WebhookSession, { amount, currency }: SessionPayment | SessionCode) {
  return { session_id: id, ...(order === null ? {} : { order }), reference, amount, currency };
}

/**
 * Makes the merchant events of a settled payment: `payment.paid`, unless it was paid before the merchant had a webhook,
 * and, if some of it was refunded, `payment.refunded` with the sum so far.
 */
export function paymentEvents(
  making: EventCreation,
  session: WebhookSession,
  payment: SessionPayment,
): readonly NewMerchantEvent[] {
  const { id, created_at, reversed_amount = 0 } = payment;
  const data = { ...commonData(session, payment), transaction_id: id, paid_at: created_at };
  const paid = newEvent(making, session, 0n, { type: "payment.paid", timestamp: created_at, data });
  const events = new Date(created_at) < session.webhookSince ? [] : [paid];
  if (reversed_amount === 0) return events;
  const refundedMinor = parseAmount(numberToAmountText(reversed_amount), making.currency.digits);
  const timestamp = toInstant(making.clock());
  const refund = { ...data, refunded_amount: reversed_amount };
  return [...events, newEvent(making, session, refundedMinor, { type: "payment.refunded", timestamp, data: refund })];
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
