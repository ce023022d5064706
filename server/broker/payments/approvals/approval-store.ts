import type { Approval } from "../../../../src/contract/broker/broker.ts";
import type { Sql, SqlPart, Tx } from "../../../database/connect.ts";
import { isFrozen } from "../../access/freeze-store.ts";
import type { AuthenticationMethod } from "../../access/principal.ts";
import type { PaymentTable } from "../../upstream/payment-store.ts";

/**
 * An approval as it is opened, with all that is going to be paid, so that confirming it takes nothing of that from a
 * request.
 */
export interface NewApproval {
  readonly id: string;
  /** 32 random bytes: no two approvals have the same challenge. */
  readonly random: Uint8Array;
  readonly user_id: string;
  readonly operation: Approval["operation"];
  readonly payer_id: string;
  readonly payee_id: string;
  readonly payee: string;
  readonly first_time_payee: boolean;
  /** True if too little was paid to the payee long enough ago: the limit of a new payee applies. */
  readonly new_payee: boolean;
  readonly amount: bigint;
  readonly currency: string;
  readonly reference: string | null;
  /** Of a code; transfers and refunds have none. */
  readonly check_code: string | null;
  readonly payload: string | null;
  /** The payment that a refund gives back. */
  readonly reverses: string | null;
  /** The look-up that found the payee of a transfer. */
  readonly look_up_id: string | null;
  readonly note: string | null;
  readonly method: AuthenticationMethod;
  readonly attempt_key: string | null;
  readonly attempt_fingerprint: Uint8Array | null;
  readonly created_at: Date;
  readonly expires_at: Date;
}

/** An approval as it is stored. */
export interface ApprovalRow extends Omit<NewApproval, "attempt_key"> {
  readonly state: Exclude<Approval["state"], "expired">;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  readonly transaction_id: string | null;
  readonly transaction_reference: string | null;
  readonly reason: string | null;
  /** JSON, as it is answered. */
  readonly exceeded_limit: string | null;
  /** When a failure that was reported too early was corrected. */
  readonly corrected_at: Date | null;
}

/** The columns that handlers see. */
function columns(sql: Sql | Tx) {
  return sql`id, random, user_id, operation, payer_id, payee_id, payee, first_time_payee, new_payee, amount, currency,
    reference, check_code, payload, reverses, look_up_id, note, method, attempt_fingerprint, state, created_at,
    expires_at, started_at, finished_at, transaction_id, transaction_reference, reason, exceeded_limit, corrected_at`;
}

/**
 * The table of approvals, for the reconciler: the payment of each may have been sent from `started_at` on, when the
 * approval was consumed.
 */
export const approvalTable: PaymentTable = {
  ...{ name: "broker.approvals", since: "started_at", columns },
  isBlocked: (sql) => isFrozen(sql, sql`approvals.user_id`),
};

/**
 * Finds the id of the person who is this user of the service, and so approved what the user pays; throws if there is
 * none.
 */
export async function findApprover(sql: Sql, userId: string): Promise<string> {
  const [person] = await sql<{ readonly id: string }[]>`select id from broker.people where user_id = ${userId}`;
  if (person === undefined) throw new Error("an approval is of nobody here");
  return person.id;
}

/**
 * The statement that stores a new approval, open, and returns it; it returns nothing when the user opened one with the
 * same idempotency key before.
 */
export function insertionOf(sql: Sql, approval: NewApproval): SqlPart {
  return sql`
    insert into broker.approvals ${sql({ ...approval, state: "open" })}
    on conflict (user_id, attempt_key) do nothing
    returning ${columns(sql)}`;
}

/** Finds an approval by its id, among those of one user; undefined for another user's. */
export async function findApproval(sql: Sql | Tx, userId: string, id: string): Promise<ApprovalRow | undefined> {
  const [row] = await sql<ApprovalRow[]>`
    select ${columns(sql)} from broker.approvals where id = ${id} and user_id = ${userId}`;
  return row;
}

/**
 * Finds an approval of a user and locks it: others that would consume or withdraw it wait until the transaction ends.
 */
export async function lockApproval(tx: Tx, userId: string, id: string): Promise<ApprovalRow | undefined> {
  const [row] = await tx<ApprovalRow[]>`
    select ${columns(tx)} from broker.approvals where id = ${id} and user_id = ${userId} for update`;
  return row;
}

/** Finds the approval that a user's attempt opened, by the attempt's idempotency key. */
export async function findOfAttempt(sql: Sql, userId: string, attemptKey: string): Promise<ApprovalRow | undefined> {
  const [row] = await sql<ApprovalRow[]>`
    select ${columns(sql)} from broker.approvals where user_id = ${userId} and attempt_key = ${attemptKey}`;
  return row;
}

/**
 * The statement that consumes an open approval, whose state is `running` from then on, and returns it; it returns
 * nothing when the approval is no longer open or in time. Of all who try, exactly one gets it.
 */
export function consumptionOf(
  tx: Tx,
  { id, user_id: userId }: ApprovalRow,
  passkeyId: string | null,
  at: Date,
): SqlPart {
  return tx`
    update broker.approvals set state = 'running', started_at = ${at}, passkey_id = ${passkeyId}
    where id = ${id} and user_id = ${userId} and state = 'open' and expires_at > ${at}
    returning ${columns(tx)}`;
}

/**
 * Withdraws an open approval, so that nobody can consume it any more; undefined when it is not open. Waits for a
 * transaction that is consuming it.
 */
export async function closeApproval(tx: Tx, id: string, at: Date): Promise<ApprovalRow | undefined> {
  const [row] = await tx<ApprovalRow[]>`
    update broker.approvals set state = 'withdrawn', finished_at = ${at}
    where id = ${id} and state = 'open' returning ${columns(tx)}`;
  return row;
}

/** How a user knows a payee by the approvals of this broker. */
interface Acquaintance {
  /** True if the user has paid this payee, or transferred to them, before; refunds do not count. */
  readonly has_paid: boolean;
  /** The sum after which a payee is no longer new, in minor units: the entity's, else the person's own; null: none. */
  readonly enough: bigint | null;
}

/** Reads how a user knows a payee. */
export async function acquaintanceOf(sql: Sql, userId: string, payeeId: string): Promise<Acquaintance> {
  const [row] = await sql<Acquaintance[]>`
    select coalesce(r.first_time_limit, o.first_time_limit) as enough, exists (
      select from broker.approvals
      where user_id = ${userId} and payee_id = ${payeeId} and state = 'approved' and operation <> 'refund') as has_paid
    from broker.entity_rules r left join broker.people p on p.user_id = ${userId}
      left join broker.own_limits o on o.person_id = p.id`;
  if (row === undefined) throw new Error("the entity's rules are gone");
  return row;
}
