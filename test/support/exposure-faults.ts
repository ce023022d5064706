import type { Sql } from "../../server/database/connect.ts";

/** More than any test's installation lets an entity owe another. */
const MOST = (10n ** 18n).toString();

/** The faults of what entities owe one another, and of the slices of their limits; empty when there are none. */
export async function exposureFaults(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ fault: string }[]>`
    select 'exposure of ' || creditor_id || ' to ' || debtor_id || ' is not what is posted and held' as fault from (
      select creditor_id, debtor_id, used, held from service.counterparty_slices
      union all
      select entity_id, counterparty_id, sum(posted), 0 from service.accounts where kind in ('due_to', 'due_from')
      group by 1, 2
      union all
      select to_creator_id, from_creator_id, -sum(amount), -sum(amount) from service.transactions
      where status = 'pending' and from_creator_id <> to_creator_id group by 1, 2) e
    group by creditor_id, debtor_id having sum(used) <> 0 or sum(held) <> 0
    union all
    select 'more of the limit of ' || creditor_id || ' for ' || debtor_id || ' is given out than there is'
    from service.counterparty_limits l join service.counterparty_slices s using (creditor_id, debtor_id)
    group by creditor_id, debtor_id, l.limit_amount, l.least_limit
    having sum(greatest(granted, used)) >
      greatest(coalesce(l.limit_amount, greatest(l.least_limit, ${MOST}::numeric)), sum(used))
    union all
    select 'a slice is used beyond what was granted, by ' || debtor_id || ' of ' || creditor_id
    from service.counterparty_slices where used > granted`;
  return rows.map(({ fault }) => fault);
}
