import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { ExceededLimit, LimitName } from "../../../../src/contract/shared/exceeded-limit.ts";
import type { Sql, Tx } from "../../../database/connect.ts";
import { type BrokerContext, toInstant, toNumber } from "../../access/broker-context.ts";
import { type EffectiveLimit, limitsOf, type Spending } from "./limits-of.ts";

type Broker = Pick<BrokerContext, "time" | "clock" | "currency">;

/** The sentences in which the broker's refusals state the sum that is left. */
const SENTENCES: Readonly<Partial<Record<LimitName, (left: string) => string>>> = Object.freeze({
  personal_payment_limit: (left) => `At once you may pay at most ${left}.`,
  personal_daily_limit: (left) => `Today you may still pay ${left}.`,
  new_device_limit: (left) => `With a new device you may still pay ${left}.`,
  first_payee_limit: (left) => `To somebody new you may now pay at most ${left}.`,
  sale_limit: (left) => `One top-up here is at most ${left}. Nothing was sold.`,
  refund_limit: (left) => `Today this merchant may still give back ${left}. Nothing was given back.`,
  session_limit: (left) => `This session may still sell ${left}. Nothing was sold.`,
});

/** A limit in the shape of every answer. */
function exceededLimit(broker: Pick<Broker, "currency">, { name, amount, left, until }: EffectiveLimit): ExceededLimit {
  const sums = { amount: toNumber(broker, amount), left: toNumber(broker, left) };
  return { name, ...sums, until: until === null ? null : toInstant(until) };
}

/**
 * Makes `limit_exceeded`, with the limit and the sum left of it, for the first of the limits of which less is left than
 * the amount; undefined where all of them leave as much.
 */
export function excessOf(
  broker: Pick<Broker, "currency">,
  limits: readonly EffectiveLimit[],
  amount: bigint,
): ApiError | undefined {
  const held = limits.find(({ left }) => amount > left);
  if (held === undefined) return undefined;
  const exceeded = exceededLimit(broker, held);
  const sentence = SENTENCES[held.name] ?? ((left) => `You may still pay ${left}.`);
  const detail = sentence(`${exceeded.left} ${broker.currency.code}`);
  return new ApiError("limit_exceeded", { detail, exceededLimit: exceeded });
}

/** Throws what {@link excessOf} makes, if it makes anything. */
export function refuseAbove(broker: Pick<Broker, "currency">, limits: readonly EffectiveLimit[], amount: bigint): void {
  const excess = excessOf(broker, limits, amount);
  if (excess !== undefined) throw excess;
}

/**
 * Throws `limit_exceeded`, with the limit and the sum left of it, where a payment or transfer would exceed one of the
 * user's limits (security: Approval of a payment, 4). If the payer was locked first, the check holds until the
 * transaction ends.
 */
export async function refuseOverLimit(
  broker: Broker,
  sql: Sql | Tx,
  userId: string,
  spending: Spending,
): Promise<void> {
  refuseAbove(broker, await limitsOf(broker, sql, userId, spending), spending.amount);
}
