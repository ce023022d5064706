import { ApiError } from "../../../src/contract/errors.ts";
import type { Sql, Tx } from "../../database/connect.ts";
import { type BrokerContext, toNumber } from "../broker-context.ts";
import { readLimits } from "./limit-store.ts";
import { heldLimits } from "./lower-of.ts";

/** What somebody is about to approve, as far as limits go. */
export interface Spending {
  readonly operation: "pay" | "transfer" | "refund";
  readonly amount: bigint;
  readonly first_time_payee: boolean;
}

/** The first moment of the present business day. */
export function startOfDay({ time, clock }: Pick<BrokerContext, "time" | "clock">): Date {
  return time.startOf(time.dayOf(clock()));
}

/**
 * Throws `limit_exceeded`, naming the limit and what is left of it, where this would pass one (security: Approval of a
 * payment, 4). It holds until the transaction ends where the payer was locked first. Giving money back has no limit.
 */
export async function refuseOverLimit(
  broker: Pick<BrokerContext, "time" | "clock" | "currency">,
  sql: Sql | Tx,
  userId: string,
  { operation, amount, first_time_payee: isFirstTime }: Spending,
): Promise<void> {
  if (operation === "refund") return;
  const limits = await readLimits(sql, userId, startOfDay(broker));
  const held = heldLimits(limits);
  const left = held.day === null ? null : held.day > limits.spent ? held.day - limits.spent : 0n;
  const over = (limit: bigint | null): limit is bigint => limit !== null && amount > limit;
  const refusal = (sentence: string, limit: bigint) =>
    new ApiError("limit_exceeded", { detail: `${sentence} ${toNumber(broker, limit)} ${broker.currency.code}.` });
  if (over(held.payment)) throw refusal("At once you may pay at most", held.payment);
  if (over(left)) throw refusal("Today you may still pay", left);
  if (isFirstTime && over(held.first_time_payee)) {
    throw refusal("To somebody for the first time you may pay at most", held.first_time_payee);
  }
}
