import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { Sql } from "../../../database/connect.ts";
import { type GrantedOwn, grantOwn } from "../../access/policy/gate.ts";
import type { Upstream } from "../../access/policy/upstream-calls.ts";
import { readPaymentRefunds } from "../payments/payment-refunds.ts";
import { refundsOfPayment } from "../payments/refund-store.ts";
import { refundToldOf, saveMerchantEvents } from "./event-store.ts";
import {
  type EventCreation,
  expiredEvent,
  type NewMerchantEvent,
  paidEvents,
  refundEvents,
  refundedMinor,
  type SessionCode,
  type SessionPayment,
  unseenPaymentEvent,
} from "./payment-events.ts";
import { findWebhookSessions, type WebhookSession } from "./webhook-session.ts";

/** The state of a session's code; `unknown`: the service has no such code. */
export type RecordedState = SessionCode["state"] | "unknown";

/** Writes merchants' events to the outbox, each time from the service's present state. */
export interface EventRecorder {
  /** The part of the service that may be asked about a merchant's user. */
  serviceOf(userId: string): GrantedOwn<"watch">;
  /** Records the outcomes of the payment codes of these references. */
  recordOutcomes(references: readonly string[]): Promise<void>;
  /** Reads a session's code, records its outcome, and returns its state. */
  recordOutcome(session: WebhookSession): Promise<RecordedState>;
  /** Records the events of settled payments, by the sessions that they paid. */
  recordPayments(payments: readonly SessionPayment[], userId: string): Promise<void>;
}

/** The dependencies of a merchant event recorder. */
export interface EventRecorderOptions extends EventCreation {
  readonly sql: Sql;
  readonly upstream: Upstream;
  /** Called when there is something to send. */
  readonly wake: () => void;
}

async function orUndefined<T>(asked: Promise<{ readonly body: T }>, code: ApiError["code"]): Promise<T | undefined> {
  try {
    return (await asked).body;
  } catch (error) {
    if (error instanceof ApiError && error.code === code) return undefined;
    throw error;
  }
}

/** Makes the events of refunds that the merchant was not told of; only where there are some the service is asked. */
async function newRefundEvents(
  options: EventRecorderOptions,
  session: WebhookSession,
  service: GrantedOwn<"watch">,
  payment: SessionPayment,
): Promise<readonly NewMerchantEvent[]> {
  const refunded = refundedMinor(options, payment);
  if (refunded === 0n || refunded <= (await refundToldOf(options.sql, session.id))) return [];
  const own = await refundsOfPayment(options.sql, session.merchantId, payment.id);
  return refundEvents(options, session, payment, await readPaymentRefunds(options, service, payment, own));
}

/** Creates the merchant event recorder, the only code that adds to the outbox of merchant events. */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { sql, upstream, clock, wake } = options;
  const serviceOf = (userId: string): GrantedOwn<"watch"> => grantOwn(upstream, "watch", userId);

  async function save(events: readonly NewMerchantEvent[]): Promise<void> {
    if ((await saveMerchantEvents(sql, events, clock())) > 0) wake();
  }

  async function codeEvents(
    session: WebhookSession,
    service: GrantedOwn<"watch">,
    code: SessionCode,
  ): Promise<readonly NewMerchantEvent[]> {
    const { transaction_id: id } = code;
    const payment =
      id === undefined ? undefined : await orUndefined(service.transaction({ id }), "transaction_not_found");
    if (payment === undefined) return [unseenPaymentEvent(options, session, code)];
    return [...paidEvents(options, session, payment), ...(await newRefundEvents(options, session, service, payment))];
  }

  async function recordOutcome(session: WebhookSession): Promise<RecordedState> {
    const service = serviceOf(session.userId);
    const code = await orUndefined(service.transactionQr({ reference: session.reference }), "qr_not_found");
    if (code?.state === "paid") await save(await codeEvents(session, service, code));
    if (code?.state === "expired") await save([expiredEvent(options, session, code)]);
    return code?.state ?? "unknown";
  }

  return {
    serviceOf,
    recordOutcome,
    async recordOutcomes(references) {
      for (const session of await findWebhookSessions(sql, references)) await recordOutcome(session);
    },
    async recordPayments(payments, userId) {
      const byReference = new Map(payments.map((payment) => [payment.reference, payment]));
      const sessions = await findWebhookSessions(sql, [...byReference.keys()]);
      const own = sessions.filter((session) => session.userId === userId);
      const paid = own.flatMap((session) => {
        const payment = byReference.get(session.reference);
        return payment === undefined ? [] : [{ session, payment }];
      });
      await save(paid.flatMap(({ session, payment }) => paidEvents(options, session, payment)));
      for (const { session, payment } of paid) {
        await save(await newRefundEvents(options, session, serviceOf(userId), payment));
      }
    },
  };
}
