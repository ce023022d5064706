import { addDays } from "../../../../src/calendar-day.ts";
import type { LimitName } from "../../../../src/contract/shared/exceeded-limit.ts";
import type { Sql, Tx } from "../../../database/connect.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import { heldLimits } from "./effective-limit.ts";
import { type KnownLimits, readLimits } from "./limit-store.ts";
import { newDeviceLimitOf } from "./new-device.ts";
import { NEW_PAYEE_MS, paidLately } from "./new-payee.ts";

/**
 * A payment, transfer or refund that a person is about to approve, with the facts that decide which limits hold: the
 * operation, the amount, the payee, and if the payee is new to the person.
 */
export interface Spending {
  readonly operation: "pay" | "transfer" | "refund";
  readonly amount: bigint;
  readonly payee_id: string;
  /** True if too little was paid to this payee long enough ago: see `acquaintanceWith`. */
  readonly new_payee: boolean;
}

/** A limit as it holds for one payment, transfer or sale, in minor units. */
export interface EffectiveLimit {
  readonly name: LimitName;
  /** Most that it lets through. */
  readonly amount: bigint;
  readonly left: bigint;
  /** The time from which more of it is left; null where that never changes by itself. */
  readonly until: Date | null;
}

type Broker = Pick<BrokerContext, "time" | "clock" | "currency">;

/** Returns the first instant of the present business day. */
function startOfDay({ time, clock }: Pick<Broker, "time" | "clock">): Date {
  return time.startOf(time.dayOf(clock()));
}

/** Reads a user's limits, with the sum spent on the present business day. */
export function limitsToday(
  broker: Pick<Broker, "time" | "clock">,
  sql: Sql | Tx,
  userId: string,
): Promise<KnownLimits> {
  return readLimits(sql, userId, { since: startOfDay(broker), at: broker.clock() });
}

/** Returns the remainder of a limit, zero where more than it was spent. */
export function leftOf(amount: bigint, spent: bigint): bigint {
  return amount > spent ? amount - spent : 0n;
}

async function newPayeeLimit({ clock }: Broker, sql: Sql | Tx, userId: string, payeeId: string, amount: bigint) {
  const since = new Date(clock().getTime() - NEW_PAYEE_MS);
  const { sum, first } = await paidLately(sql, userId, payeeId, since);
  const until = first === null ? null : new Date(first.getTime() + NEW_PAYEE_MS);
  return { name: "first_payee_limit", amount, left: leftOf(amount, sum), until } as const;
}

/** The limits for one payment and for a day; payments, transfers and sales share them. */
function paymentLimits({ time, clock }: Broker, limits: KnownLimits): readonly EffectiveLimit[] {
  const { payment, day } = heldLimits(limits);
  const until = time.startOf(addDays(time.dayOf(clock()), 1));
  return [
    ...(payment === null
      ? []
      : [{ name: "personal_payment_limit", amount: payment, left: payment, until: null } as const]),
    ...(day === null
      ? []
      : [{ name: "personal_daily_limit", amount: day, left: leftOf(day, limits.spent), until } as const]),
  ];
}

/**
 * Reads the personal payment and daily limits of the user whose quota pays for a till's sales; those of the till's
 * session are not among them. If the payer was locked first, they stay as they are until the transaction ends.
 */
export async function sellerLimits(broker: Broker, sql: Sql | Tx, userId: string): Promise<readonly EffectiveLimit[]> {
  return paymentLimits(broker, await limitsToday(broker, sql, userId));
}

/**
 * Reads the limits that hold for a payment or transfer, in the order of their checks; none for a refund. If the payer
 * was locked first, they stay as they are until the transaction ends.
 */
export async function limitsOf(
  broker: Broker,
  sql: Sql | Tx,
  userId: string,
  { operation, payee_id: payeeId, new_payee: isNew }: Omit<Spending, "amount">,
): Promise<readonly EffectiveLimit[]> {
  if (operation === "refund") return [];
  const limits = await limitsToday(broker, sql, userId);
  const { first_time_payee: first } = heldLimits(limits);
  const held = [...paymentLimits(broker, limits)];
  const device = newDeviceLimitOf(broker, limits);
  if (device !== undefined) held.push({ name: "new_device_limit", ...device });
  if (isNew && first !== null) held.push(await newPayeeLimit(broker, sql, userId, payeeId, first));
  return held;
}
