import type { BrokerContract } from "../../../../src/contract/broker/broker.ts";
import type { Call } from "../../../../src/contract/shared/handler.ts";
import { sumAmounts } from "../../../../src/money.ts";
import { type BrokerContext, readAmount } from "../../access/broker-context.ts";
import type { Granted } from "../../access/policy/gate.ts";
import type { PersonPrincipal } from "../../access/principal.ts";
import { NEW_PAYEE_MS, transferredBefore } from "../../people/protection/new-payee.ts";
import { acquaintanceOf, type NewApproval } from "./approval-store.ts";

/** The call by which a person opens an approval. */
export type OpenCall = Call<BrokerContract["openApproval"], PersonPrincipal>;
/** The calls of the service that the policy grants to `openApproval`: they read what is about to be approved. */
export type OpeningService = Granted<"person", "openApproval">;

type Fact = "operation" | "payee_id" | "payee" | "amount" | "currency" | "look_up_id";
/** How well the person knows the payee. */
type PayeeHistory = Pick<NewApproval, "first_time_payee" | "new_payee">;
/** The payment, transfer or refund that a new approval is for, as the service knows it. */
export type PaymentToApprove = PayeeHistory &
  Pick<NewApproval, Fact | "reference" | "check_code" | "payload" | "reverses">;

type Sent = Awaited<ReturnType<OpeningService["transactionHistory"]>>["body"][number];

/** The sum of the payments that reached the payee before a moment, less refunds. */
function paidBefore(broker: BrokerContext, payments: readonly Sent[], before: Date): bigint {
  const settled = payments.filter(({ created_at }) => Date.parse(created_at) < before.getTime());
  const minor = (sum: number) => (sum === 0 ? 0n : readAmount(broker, sum));
  return sumAmounts(settled.map((payment) => minor(payment.amount) - minor(payment.reversed_amount ?? 0)));
}

/**
 * Determines whether the person has paid that payee nothing so far, here or elsewhere, and whether it is still new:
 * until the sum of payments to it that are a day old or older reaches the limit of a new payee, so that no small
 * payment unlocks a large one. Where the entity has set such a limit, that one counts and not the person's, so that
 * nobody reaches the sum sooner by lowering theirs.
 */
export async function payeeHistory(
  broker: BrokerContext,
  service: OpeningService,
  userId: string,
  payeeId: string,
): Promise<PayeeHistory> {
  const { sql, clock } = broker;
  const { enough, has_paid: hasPaid } = await acquaintanceOf(sql, userId, payeeId);
  if (enough === null && hasPaid) return { first_time_payee: false, new_payee: false };
  const { body } = await service.transactionHistory({});
  // A refund does not count as a payment to its receiver.
  const payments = body.filter((payment) => payment.to_user_id === payeeId && payment.kind !== "refund");
  const isFirstTime = !hasPaid && payments.length === 0;
  if (enough === null) return { first_time_payee: isFirstTime, new_payee: false };
  const before = new Date(clock().getTime() - NEW_PAYEE_MS);
  const transferred = await transferredBefore(sql, userId, payeeId, before);
  return { first_time_payee: isFirstTime, new_payee: paidBefore(broker, payments, before) + transferred < enough };
}
