import type { Sql, SqlPart, Tx } from "../../../database/connect.ts";

/**
 * The most that may be paid at once, in a business day, and to somebody for the first time; in minor units, null: none.
 */
export interface LimitSet {
  readonly payment: bigint | null;
  readonly day: bigint | null;
  readonly first_time_payee: bigint | null;
}

/** The spending limits of one user, and the sum that was spent since a moment. */
export interface KnownLimits {
  readonly entity: LimitSet;
  /** The person's own; one above the entity's has no effect. */
  readonly own: LimitSet;
  /** Paid, transferred and sold by tills since a moment, what is still under way included. */
  readonly spent: bigint;
  /** While the person's first device is new: the end of that, the entity's limit, and the sum spent since its start. */
  readonly newDevice?: { readonly set: bigint | null; readonly until: Date; readonly spent: bigint } | undefined;
}

interface Row {
  readonly entity_payment: bigint | null;
  readonly entity_day: bigint | null;
  readonly entity_first_time: bigint | null;
  readonly own_payment: bigint | null;
  readonly own_day: bigint | null;
  readonly own_first_time: bigint | null;
  readonly spent: bigint;
  readonly new_device_limit: bigint | null;
  readonly new_device_until: Date | null;
  readonly new_device_spent: bigint;
}

/** The start of the period whose payments count as spent, and the present. */
interface Period {
  readonly since: Date;
  readonly at: Date;
}

/**
 * Reads a user's spending limits, and the sum spent since a moment, by tills that spend the user's quota too. Refunds
 * are no spending.
 */
export async function readLimits(sql: Sql | Tx, userId: string, { since, at }: Period): Promise<KnownLimits> {
  const spentSince = (start: SqlPart) => sql`
    (select coalesce(sum(amount), 0)::bigint from broker.approvals where user_id = ${userId}
      and started_at >= ${start} and state in ('running', 'approved') and operation <> 'refund')`;
  const [row] = await sql<Row[]>`
    select r.payment_limit as entity_payment, r.day_limit as entity_day, r.first_time_limit as entity_first_time,
      o.payment_limit as own_payment, o.day_limit as own_day, o.first_time_limit as own_first_time,
      ${spentSince(sql`${since}`)}
      + (select coalesce(sum(amount), 0)::bigint from broker.recharges where from_user_id = ${userId}
        and created_at >= ${since} and state in ('running', 'approved')) as spent,
      r.new_device_limit, d.until as new_device_until,
      case when d.until is null then 0 else ${spentSince(sql`p.first_device_at`)} end as new_device_spent
    from broker.entity_rules r left join broker.people p on p.user_id = ${userId}
      left join broker.own_limits o on o.person_id = p.id
      left join lateral (select p.first_device_at + r.new_device_hours * interval '1 hour' as until) d
        on d.until > ${at}`;
  if (row === undefined) throw new Error("the entity's rules are gone");
  const { new_device_limit: set, new_device_until: until, new_device_spent: spent } = row;
  return {
    entity: { payment: row.entity_payment, day: row.entity_day, first_time_payee: row.entity_first_time },
    own: { payment: row.own_payment, day: row.own_day, first_time_payee: row.own_first_time },
    spent: row.spent,
    newDevice: until === null ? undefined : { set, until, spent },
  };
}

/** Stores a person's own limits in place of those before. */
export async function keepOwnLimits(tx: Tx, personId: string, own: LimitSet, at: Date): Promise<void> {
  await tx`
    insert into broker.own_limits (person_id, payment_limit, day_limit, first_time_limit, changed_at)
    values (${personId}, ${own.payment}, ${own.day}, ${own.first_time_payee}, ${at})
    on conflict (person_id) do update set payment_limit = excluded.payment_limit, day_limit = excluded.day_limit,
      first_time_limit = excluded.first_time_limit, changed_at = excluded.changed_at`;
}
