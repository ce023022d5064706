import type { Sql, SqlPart } from "../../server/database/connect.ts";
import { freshPayeeTotals, payeeTotals } from "../../server/service/transactions/payee-totals.ts";

/** The faults of holds, refunds and their QRs; empty when they are sound. */
function recordFaults(sql: Sql) {
  return sql<{ fault: string }[]>`
    select 'account ' || a.id || ' does not hold what its pending payments hold' as fault
    from service.accounts a left join service.transactions t on t.from_user_id = a.id and t.status = 'pending'
    group by a.id having a.held <> coalesce(sum(t.amount), 0)
    union all
    select 'account ' || id || ' holds more than it has' from service.accounts
    where kind = 'user_quota' and not held between 0 and posted
    union all
    select 'transaction ' || t.id || ' was not given back what it says' from service.transactions t
    left join service.transactions r on r.reverses = t.id
    group by t.id having t.reversed_amount <> coalesce(sum(r.amount), 0) or t.reversed_amount > t.amount
      or (t.status = 'reversed') <> (t.reversed_amount = t.amount)
    union all
    select 'refund ' || r.id || ' reverses no payment the other way' from service.transactions r
    left join service.transactions t on t.id = r.reverses
    where (r.kind = 'refund' or r.reverses is not null) and (t.id is null or r.kind <> 'refund' or t.kind = 'refund'
      or r.from_user_id <> t.to_user_id or r.to_user_id <> t.from_user_id or r.status <> 'approved')
    union all
    select 'transaction ' || id || ' is no hold, or settled for more' from service.transactions
    where amount > held_amount or (held_amount is null) <> (hold_expires_at is null)
      or (status = 'pending' and held_amount is distinct from amount)
      or (reason in ('released', 'hold_expired') and held_amount is distinct from amount)
    union all
    select 'transaction ' || t.id || ' has another status than its history' from service.transactions t
    join service.transaction_statuses s on s.transaction_id = t.id
    group by t.id having count(*) <> t.status_count or max(s.sequence_number) <> t.status_count
      or (array_agg(s.status order by s.sequence_number desc))[1] <> t.status
    union all
    select 'QR ' || q.reference || ' was not taken by the payment that it names' from service.qr_reservations q
    left join service.transactions t on t.id = q.transaction_id where q.transaction_id is not null
      and (t.reference is distinct from q.reference or t.status not in ('pending', 'approved', 'reversed'))`;
}

/** Builds the select of the totals of all payers and payees as they stand now. */
export function currentPayeeTotals(sql: Sql) {
  return payeeTotals(sql, { folded: sql`select * from service.payee_totals`, fresh: freshPayeeTotals(sql) });
}

/** The roll-ups that differ from the rows that they sum up; empty when none does. */
function rollUpFaults(sql: Sql) {
  const both = (told: SqlPart, counted: SqlPart) =>
    sql`((${told}) except (${counted})) union all ((${counted}) except (${told}))`;
  const counts = sql`count(*) filter (where status = 'pending'), count(*) filter (where status = 'approved'),
    count(*) filter (where status = 'rejected'), count(*) filter (where status = 'reversed')`;
  const payees = both(
    sql`select from_user_id, to_user_id, from_creator_id, to_creator_id, total, pending, approved, rejected, reversed,
      first_settled_id is not null, cardinality(latest)::bigint from (${currentPayeeTotals(sql)}) totals`,
    sql`select from_user_id, to_user_id, from_creator_id, to_creator_id,
      coalesce(sum(amount - reversed_amount) filter (where status in ('approved', 'reversed')), 0), ${counts},
      bool_or(status in ('approved', 'reversed')), least(count(*), 10) from service.transactions
      where kind <> 'refund' group by 1, 2, 3, 4`,
  );
  const events = sql`(
    select made_by, kind, coalesce(held_amount, amount) as amount, reason,
      case when held_amount is not null then 'pending' when posting_id is not null then 'approved' else 'rejected' end
        as event from service.transactions
    union all select made_by, kind, amount, reason, case when posting_id is not null then 'settled' else 'released' end
      from service.transactions where held_amount is not null and status <> 'pending'
    union all select t.made_by, t.kind, r.amount, null, 'refunded'
      from service.transactions r join service.transactions t on t.id = r.reverses) events`;
  const days = both(
    sql`select entity_id, kind, event, sum(count), sum(amount) from service.transaction_days group by 1, 2, 3`,
    sql`select made_by, kind, event, count(*)::numeric, sum(amount) from ${events} group by 1, 2, 3`,
  );
  const histograms = both(
    sql`select period, entity_id, kind, event, sum(c) from (
        select 'day' as period, entity_id, kind, event, counts from service.transaction_histograms
        union all select 'month', entity_id, kind, event, counts from service.transaction_months
        union all select period, entity_id, kind, event, counts
          from service.histogram_changes, (values ('day'), ('month')) as periods(period)) of_all, unnest(counts) as c
      group by 1, 2, 3, 4`,
    sql`select period, made_by, kind, event, count(*)::numeric
      from ${events}, (values ('day'), ('month')) as periods(period) group by 1, 2, 3, 4`,
  );
  const rejections = both(
    sql`select entity_id, kind, reason, sum(count) from service.rejection_days group by 1, 2, 3`,
    sql`select made_by, kind, coalesce(reason, ''), count(*)::numeric from ${events}
      where event in ('rejected', 'released') group by 1, 2, 3`,
  );
  return sql<{ fault: string }[]>`
    select 'payee_totals differ from the payments: ' || r::text as fault from (${payees}) r
    union all select 'transaction_days differ from the payments: ' || r::text from (${days}) r
    union all select 'histograms differ from the payments: ' || r::text from (${histograms}) r
    union all select 'rejection_days differ from the payments: ' || r::text from (${rejections}) r`;
}

/** The faults of payments that the rows alone can tell: holds, refunds, codes and roll-ups. */
export async function paymentFaults(sql: Sql): Promise<readonly string[]> {
  const rows = [...(await recordFaults(sql)), ...(await rollUpFaults(sql))];
  return rows.map(({ fault }) => fault);
}
