import type { Sql, Tx } from "../../database/connect.ts";

/** Stands for no counterparty in the roll-up. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

/** The inputs of {@link debtsAt}: the entity, and the day at whose end its debts are wanted. */
export interface DebtsAt {
  readonly entityId: string;
  readonly day: string;
  /** True if anything was booked after the day, which is then undone. */
  readonly hasLater: boolean;
}

/**
 * Returns the inputs of {@link debtsAt}, for which it reads if anything was booked on an entity's credits after a day,
 * in the snapshot that the report is made of. The clock cannot decide that: another process may be past midnight
 * already, and postings that a closed month refuses are booked ahead.
 */
export async function debtsOf(tx: Tx, entityId: string, day: string): Promise<DebtsAt> {
  const [row] = await tx<{ hasLater: boolean }[]>`
    select exists (select from service.ledger_days where entity_id = ${entityId} and day > ${day}
      and kind in ('credits_receivable', 'interest_receivable') and counterparty_id = ${NOBODY}) as "hasLater"`;
  return { entityId, day, hasLater: row?.hasLater === true };
}

/**
 * Builds the query of what was owed on each credit of an entity at the end of a day: `user_id, loan_type, due_date,
 * outstanding, unpaid`. It starts from the debts of now and undoes later movements, so its cost is that of those
 * movements.
 */
export function debtsAt(sql: Sql | Tx, { entityId, day, hasLater }: DebtsAt) {
  if (!hasLater) {
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
