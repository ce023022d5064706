import type { Sql, Tx } from "../../database/connect.ts";

/** Which debts are meant: an entity's credits as they were at the end of a day. */
export interface DebtsAt {
  readonly entityId: string;
  readonly day: string;
  /** Whether the day is over: then what was booked after it is undone. */
  readonly isPast: boolean;
}

/**
 * A query of what was owed on each credit of an entity at the end of a day: `user_id, loan_type, due_date, outstanding,
 * unpaid`. It goes back from what is owed now, so its cost is that of what happened since.
 */
export function debtsAt(sql: Sql | Tx, { entityId, day, isPast }: DebtsAt) {
  if (!isPast) {
    return sql`
      select user_id, loan_type, due_date, outstanding::numeric as outstanding, unpaid_interest::numeric as unpaid
      from service.credits where entity_id = ${entityId} and state = 'open' and outstanding + unpaid_interest > 0`;
  }
  return sql`
    select * from (
      select c.user_id, c.loan_type, c.due_date, c.outstanding + coalesce(m.principal, 0) as outstanding,
        c.unpaid_interest + coalesce(m.interest, 0) - coalesce(a.interest, 0) as unpaid,
        coalesce(m.is_later, false) as is_later
      from service.credits c
      left join lateral (
        select sum(principal) filter (where kind <> 'recovered') as principal,
          sum(interest) filter (where kind <> 'recovered') as interest,
          bool_or(kind in ('granted', 'imported')) as is_later
        from service.credit_movements where credit_id = c.id and day > ${day}) m on true
      left join lateral (
        select sum(amount) as interest from service.credit_accruals where credit_id = c.id and day > ${day}) a on true
      where c.entity_id = ${entityId} and (c.closed_on is null or c.closed_on > ${day})) d
    where not is_later and outstanding + unpaid > 0`;
}
