import type { Sql, SqlPart, Tx } from "../../database/connect.ts";

/** The columns of a payer's and a payee's totals. */
const COLUMNS = `from_user_id, to_user_id, to_creator_id, from_creator_id, first_settled_id, first_at, last_at, total,
  pending, approved, rejected, reversed, latest`;

/**
 * No id is above it. Of a range between two ends the planner expects few rows, and of one with an open end a third of
 * all: then it reads the whole table.
 */
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Restrictions of the payments of {@link freshPayeeTotals}: to those of a payer, or through an id. */
interface Restrictions {
  readonly payerId?: string;
  readonly throughId?: string;
}

/**
 * Builds the select of what payments add to the totals of their payees: those behind the position through which
 * payments are folded, as they stand now, and the changes of those before it. A change of a payment behind it is in the
 * payment's own row.
 */
export function freshPayeeTotals(sql: Sql | Tx, { payerId, throughId = LAST_ID }: Restrictions = {}) {
  const ofPayer = payerId === undefined ? sql`` : sql`and from_user_id = ${payerId}`;
  const through = sql`(select through_id from service.payee_folds)`;
  return sql`
    select from_user_id, to_user_id, to_creator_id, from_creator_id,
      (array_agg(id order by settled_by) filter (where settled_by is not null))[1] as first_settled_id,
      min(created_at) as first_at, max(created_at) as last_at, sum(total) as total,
      sum(pending)::bigint as pending, sum(approved)::bigint as approved, sum(rejected)::bigint as rejected,
      sum(reversed)::bigint as reversed,
      coalesce((array_agg(id order by id desc) filter (where is_new))[1:10], '{}') as latest
    from (
      select from_user_id, to_user_id, to_creator_id, from_creator_id, id, created_at, true as is_new,
        case when status in ('approved', 'reversed') then posting_id end as settled_by,
        case when status in ('approved', 'reversed') then amount - reversed_amount else 0 end as total,
        (status = 'pending')::int as pending, (status = 'approved')::int as approved,
        (status = 'rejected')::int as rejected, (status = 'reversed')::int as reversed
      from service.transactions where id > ${through} and id <= ${throughId} ${ofPayer} and kind <> 'refund'
      union all
      select from_user_id, to_user_id, to_creator_id, from_creator_id, transaction_id, created_at, false,
        settled_by, total, pending, approved, rejected, reversed
      from service.payee_changes where transaction_id <= ${through} ${ofPayer}) fresh
    group by from_user_id, to_user_id, to_creator_id, from_creator_id`;
}

/**
 * Builds the select of totals as they stand now, of folded ones and fresh ones: relations of both, which may lack what
 * the other has.
 */
export function payeeTotals(sql: Sql, { folded, fresh }: { readonly folded: SqlPart; readonly fresh: SqlPart }) {
  const sums = ["total", "pending", "approved", "rejected", "reversed"].map(
    (name) => `coalesce(f.${name}, 0) + coalesce(n.${name}, 0) as ${name}`,
  );
  const either = ["to_creator_id", "from_creator_id", "first_settled_id"].map(
    (name) => `coalesce(f.${name}, n.${name}) as ${name}`,
  );
  return sql`
    select from_user_id, to_user_id, ${sql.unsafe([...either, ...sums].join(", "))},
      least(f.first_at, n.first_at) as first_at, greatest(f.last_at, n.last_at) as last_at,
      (coalesce(n.latest, '{}') || coalesce(f.latest, '{}'))[1:10] as latest
    from (${folded}) f full join (${fresh}) n using (from_user_id, to_user_id)`;
}

/** Builds the insert that adds fresh totals to the folded ones. */
export function addPayeeTotals(tx: Tx, fresh: SqlPart) {
  return tx`insert into service.payee_totals as f (${tx.unsafe(COLUMNS)})
    select ${tx.unsafe(COLUMNS)} from (${fresh}) n order by from_user_id, to_user_id
    on conflict (from_user_id, to_user_id) do update set
      first_settled_id = coalesce(f.first_settled_id, excluded.first_settled_id),
      first_at = least(f.first_at, excluded.first_at), last_at = greatest(f.last_at, excluded.last_at),
      total = f.total + excluded.total, pending = f.pending + excluded.pending,
      approved = f.approved + excluded.approved, rejected = f.rejected + excluded.rejected,
      reversed = f.reversed + excluded.reversed, latest = (excluded.latest || f.latest)[1:10]`;
}
