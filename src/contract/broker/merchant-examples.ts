import { exampleThings } from "../shared/example-things.ts";
import type { RowExample } from "../shared/operation.ts";
import type { merchantContract } from "./broker.ts";

/**
 * The objects that the examples of the merchant interface refer to. A test makes these things at a real broker, puts
 * their real ids in place of these, and sends every example.
 */
export const merchantThings = Object.freeze({
  /** A session whose order Ana paid, and her payment. */
  paidSession: "01990c1e-5b2a-7d10-8a41-6f2b9c3d0011",
  payment: exampleThings.payment,
  /** A session whose code nobody has paid. */
  unpaidSession: "01990c1e-5b2a-7d10-8a41-6f2b9c3d0012",
  /** An event that the merchant's webhook was sent. */
  event: exampleThings.event,
  today: exampleThings.today,
});

const a = merchantThings;

/**
 * Example requests by the name of their operation, each of which succeeds at a broker that has the {@link a | merchant
 * things}. A test sends every one, and fails for one that does not succeed.
 */
export const merchantExamples: Readonly<Record<keyof typeof merchantContract, RowExample>> = Object.freeze({
  createSession: {
    body: { kind: "pay", amount: 25_000, order: "1043", details: { table: 7 }, origin: "https://shop.example" },
  },
  sessionStatus: { params: { session_id: a.paidSession } },
  sessions: { query: { order: "1042" } },
  cancelSession: { params: { session_id: a.unpaidSession } },
  payments: { query: { day: a.today, state: "paid" } },
  createRefund: { params: { payment_id: a.payment }, body: { amount: 5_000, reason: "one cup was broken" } },
  refunds: { params: { payment_id: a.payment } },
  webhookDeliveries: { query: { state: "delivered" } },
  redeliverWebhook: { params: { event_id: a.event } },
  recharges: { query: { day: a.today, till: "till 2" } },
});
