import type { Refund } from "../../../../src/contract/broker/broker.ts";
import type { Sql, SqlPart, Tx } from "../../../database/connect.ts";
import { isFrozen } from "../../access/freeze-store.ts";
import type { PaymentTable } from "../../upstream/payment-store.ts";

/** A refund to store before it is sent to the service, with all that sending it needs. */
export interface NewRefund {
  readonly id: string;
  readonly merchant_id: string;
  /** The session that the payment was for. */
  readonly session_id: string;
  /** The hash of the server key that asked for it. */
  readonly key_hash: Uint8Array;
  readonly payment_id: string;
  /** The business day. */
  readonly day: string;
  readonly attempt_key: string;
  readonly fingerprint: Uint8Array;
  /** The merchant's user, who was paid. */
  readonly from_user_id: string;
  readonly amount: bigint;
  readonly currency: string;
  /** The merchant's words for the payer. */
  readonly note: string | null;
  readonly created_at: Date;
}

/**
 * A stored refund with its state and outcome. It is sent with the values stored here: none comes from a later request.
 */
export interface RefundRow extends Omit<NewRefund, "day" | "attempt_key" | "key_hash"> {
  readonly state: Refund["state"];
  readonly transaction_id: string | null;
  /** Why it failed: the code of the refusal. */
  readonly reason: string | null;
  /** JSON, as it is answered. */
  readonly exceeded_limit: string | null;
}

/** The merchant and idempotency key that identify one attempt to refund, whichever of the merchant's keys asks. */
export interface AttemptKey {
  readonly merchantId: string;
  readonly key: string;
}

function columns(sql: Sql | Tx) {
  return sql`id, merchant_id, session_id, payment_id, fingerprint, from_user_id, amount, currency, note, state,
    created_at, transaction_id, reason, exceeded_limit`;
}

/** The table of merchants' refunds, as a payment table of the reconciler: each may be sent as soon as it is stored. */
export const refundTable: PaymentTable = {
  ...{ name: "broker.refunds", since: "created_at", columns },
  // Its merchant is disabled, the key that asked ended or may no longer refund, or the merchant's user is frozen.
  isBlocked: (sql) => sql`(${isFrozen(sql, sql`refunds.from_user_id`)} or not exists (
    select from broker.merchant_keys k join broker.merchants m on m.id = k.merchant_id
    where k.key_hash = refunds.key_hash and k.refunds and k.revoked_at is null and m.disabled_at is null))`,
};

async function insert(tx: Tx, row: SqlPart): Promise<RefundRow> {
  const [stored] = await tx<RefundRow[]>`insert into broker.refunds ${row} returning ${columns(tx)}`;
  if (stored === undefined) throw new Error("the refund was not stored");
  return stored;
}

/** Stores a new refund in state `running`; its attempt must have none yet. */
export function insertRefund(tx: Tx, refund: NewRefund): Promise<RefundRow> {
  return insert(tx, tx`${tx({ ...refund, state: "running" })}`);
}

/** Stores a refund that is refused for a limit, as failed, so that its attempt is refused for good. */
export function insertRefused(tx: Tx, refund: NewRefund, exceededLimit: string | null): Promise<RefundRow> {
  const refused = { state: "failed", reason: "limit_exceeded", finished_at: refund.created_at };
  return insert(tx, tx`${tx({ ...refund, ...refused, exceeded_limit: exceededLimit })}`);
}

/** Finds the refund that an attempt began. */
export async function findOfAttempt(sql: Sql | Tx, { merchantId, key }: AttemptKey): Promise<RefundRow | undefined> {
  const [row] = await sql<RefundRow[]>`
    select ${columns(sql)} from broker.refunds where merchant_id = ${merchantId} and attempt_key = ${key}`;
  return row;
}

/** Lists the refunds of one payment that a merchant's backend asked for, newest first. */
export function refundsOfPayment(sql: Sql, merchantId: string, paymentId: string): Promise<readonly RefundRow[]> {
  return sql<RefundRow[]>`
    select ${columns(sql)} from broker.refunds
    where merchant_id = ${merchantId} and payment_id = ${paymentId} order by id desc limit 500`;
}

/** Returns one sum, in minor units, of all refunds of a merchant's business day that are approved or still running. */
export async function refundedOnDay(tx: Tx, merchantId: string, day: string): Promise<bigint> {
  const [row] = await tx<{ readonly amount: bigint }[]>`
    select coalesce(sum(amount), 0)::bigint as amount from broker.refunds
    where merchant_id = ${merchantId} and day = ${day} and state in ('running', 'approved')`;
  return row?.amount ?? 0n;
}

/**
 * Locks a merchant until the transaction ends, so that its refunds take turns, and returns the most that it gives back
 * in one business day, in minor units; null where nothing bounds it.
 */
export async function lockRefundLimit(tx: Tx, merchantId: string): Promise<bigint | null> {
  const [row] = await tx<{ readonly limit: bigint | null }[]>`
    select refund_limit as limit from broker.merchants where id = ${merchantId} for no key update`;
  return row?.limit ?? null;
}
