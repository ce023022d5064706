import type { Sql } from "../../server/database/connect.ts";

/** The faults of a ledger's credits that its rows alone can tell: of the credits themselves, and of the receivables. */
export async function creditFaults(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ fault: string }[]>`
    select 'credit ' || c.id || ' is not the sum of its movements and accruals' as fault
    from service.credits c
    left join (select credit_id, count(*) as count, sum(s.sign * principal) as principal,
      sum(s.sign * interest) as interest
      from service.credit_movements join (values ('granted', 1), ('imported', 1), ('repaid', -1), ('written_off', -1),
        ('cancelled', -1), ('recovered', 0)) as s(kind, sign) using (kind) group by credit_id) m on m.credit_id = c.id
    left join (select credit_id, sum(amount) as amount from service.credit_accruals group by credit_id) a
      on a.credit_id = c.id
    where c.outstanding <> m.principal or c.unpaid_interest <> m.interest + coalesce(a.amount, 0)
      or c.accrued <> coalesce(a.amount, 0) or c.movement_count <> m.count
    union all
    select distinct 'credit ' || a.credit_id || ' has interest in the books before its debt'
    from service.credit_accruals a
    join service.postings p on p.id = a.posting_id
    join service.credit_movements m on m.credit_id = a.credit_id and m.sequence_number = 1
    where p.business_day < m.day
    union all
    select 'receivables of entity ' || entity_id || ' are not its credits' from (
      select entity_id, kind, posted from service.accounts where kind in ('credits_receivable', 'interest_receivable')
      union all select entity_id, 'credits_receivable', outstanding from service.credits
      union all select entity_id, 'interest_receivable', unpaid_interest from service.credits) r
    group by entity_id, kind having sum(posted) <> 0`;
  return rows.map(({ fault }) => fault);
}
