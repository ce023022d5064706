import type { Recharge } from "../../../../src/contract/broker/broker.ts";
import type { Sql, Tx } from "../../../database/connect.ts";
import { isFrozen } from "../../access/freeze-store.ts";
import type { PaymentTable } from "../../upstream/payment-store.ts";

/** A top-up to store before its payment is sent to the service, with all that the payment needs. */
export interface NewRecharge {
  readonly id: string;
  readonly session_id: string;
  readonly merchant_id: string;
  /** Empty where the session names none. */
  readonly till: string;
  /** The business day. */
  readonly day: string;
  readonly attempt_key: string;
  readonly fingerprint: Uint8Array;
  readonly look_up_id: string;
  readonly from_user_id: string;
  readonly to_user_id: string;
  readonly masked_name: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly created_at: Date;
}

/**
 * A stored top-up with its state and outcome. Its payment is sent with the values stored here: none is taken from a
 * later request.
 */
export interface RechargeRow extends Omit<NewRecharge, "day" | "attempt_key"> {
  readonly state: Recharge["state"];
  readonly transaction_reference: string | null;
  readonly reason: string | null;
  /** JSON, as it is answered. */
  readonly exceeded_limit: string | null;
  /** Set if the sale was reported as failed, and that was wrong. */
  readonly corrected_at: Date | null;
}

/**
 * The merchant and idempotency key that identify one attempt to sell: any till of the merchant may ask for its outcome.
 */
export interface AttemptKey {
  readonly merchantId: string;
  readonly key: string;
}

/** The number of a till's approved top-ups of one business day, and their sum in minor units. */
export interface Sold {
  readonly count: number;
  readonly amount: bigint;
}

/** Filter and page of a list of top-ups. */
export interface RechargeList {
  readonly merchantId: string;
  readonly day: string;
  /** Default: all of the merchant's. */
  readonly till: string | undefined;
  readonly limit: number;
  /** The list goes on below this id. */
  readonly before: string | undefined;
}

function columns(sql: Sql | Tx) {
  return sql`id, session_id, merchant_id, till, fingerprint, look_up_id, from_user_id, to_user_id, masked_name, amount,
    currency, state, created_at, transaction_reference, reason, exceeded_limit, corrected_at`;
}

/**
 * The table of top-ups, as a payment table of the reconciler: the payment of each may be sent as soon as it is stored.
 */
export const rechargeTable: PaymentTable = {
  ...{ name: "broker.recharges", since: "created_at", columns },
  // Its payer is frozen, or its merchant is disabled or may no longer sell.
  isBlocked: (sql) => sql`exists (
    select from broker.merchants m where m.id = recharges.merchant_id
      and (m.disabled_at is not null or not m.sells_top_ups or ${isFrozen(sql, sql`recharges.from_user_id`)}))`,
};

/** Stores a new top-up in state `running`; its attempt must have none yet. */
export async function insertRecharge(tx: Tx, recharge: NewRecharge): Promise<RechargeRow> {
  const [row] = await tx<RechargeRow[]>`
    insert into broker.recharges ${tx({ ...recharge, state: "running" })}
    returning ${columns(tx)}`;
  if (row === undefined) throw new Error("the sale was not stored");
  return row;
}

/** Finds the top-up that an attempt began. */
export async function findOfAttempt(sql: Sql | Tx, { merchantId, key }: AttemptKey): Promise<RechargeRow | undefined> {
  const [row] = await sql<RechargeRow[]>`
    select ${columns(sql)} from broker.recharges where merchant_id = ${merchantId} and attempt_key = ${key}`;
  return row;
}

/** Returns one sum, in minor units, of all top-ups of a till's session that are approved or still running. */
export async function soldBySession(sql: Sql | Tx, sessionId: string): Promise<bigint> {
  const [row] = await sql<{ readonly amount: bigint }[]>`
    select coalesce(sum(amount), 0)::bigint as amount from broker.recharges
    where session_id = ${sessionId} and state in ('running', 'approved')`;
  return row?.amount ?? 0n;
}

/**
 * Returns the number and the sum, in minor units, of the approved top-ups that a merchant's till of that name made on
 * one business day, in all its sessions; without a name, those of the tills without one.
 */
export async function soldOnDay(
  sql: Sql,
  { merchantId, till, day }: Pick<RechargeList, "merchantId" | "till" | "day">,
): Promise<Sold> {
  const [row] = await sql<Sold[]>`
    select count(*)::int as count, coalesce(sum(amount), 0)::bigint as amount from broker.recharges
    where merchant_id = ${merchantId} and till = ${till ?? ""} and day = ${day} and state = 'approved'`;
  return row ?? { count: 0, amount: 0n };
}

/** Lists a merchant's top-ups of one business day, newest first. */
export async function listRecharges(sql: Sql, list: RechargeList): Promise<readonly RechargeRow[]> {
  const { merchantId, day, till, limit, before } = list;
  return sql<RechargeRow[]>`
    select ${columns(sql)} from broker.recharges
    where merchant_id = ${merchantId} and day = ${day} ${till === undefined ? sql`` : sql`and till = ${till}`}
      ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`;
}
