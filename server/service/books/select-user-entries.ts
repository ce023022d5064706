import type { Sql, SqlPart, Tx } from "../../database/connect.ts";
import { idUpperBound } from "../shared/id-below.ts";
import { indexWalk } from "../shared/index-scan.ts";
import { recordedIn, SLACK_MS } from "../shared/list-period.ts";
import type { PeriodInstants } from "../shared/period-instants.ts";
import type { SyncPage } from "../shared/sync-page.ts";
import type { EntryRecord } from "./select-entity-entries.ts";

/** The regular expression of an entry's position in a list of a user's account: its sequence number. */
export const USER_PLACE = /^\d{1,18}$/;

/**
 * Builds the SQL of the sequence number of an account's first entry whose posting has a greater id than the given one.
 * It searches by halves: no index has both, and the numbers, which are without gaps and in the order of commits, follow
 * the ids but for clocks that differ.
 */
export function firstAfter(sql: Sql | Tx, userId: string | SqlPart, id: string) {
  return sql`(
    with recursive halves (low, high) as (
      select 1::bigint, (select entry_count + 1 from service.accounts where id = ${userId})
      union all
      select case when e.posting_id > ${id} then s.low else s.middle + 1 end,
        case when e.posting_id > ${id} then s.middle else s.high end
      from (select low, high, (low + high) / 2 as middle from halves where low < high) s
      join service.entries e on e.account_id = ${userId} and e.sequence_number = s.middle)
    select low from halves where low = high)`;
}

function numberCondition(sql: Sql, userId: string, { before, after }: SyncPage) {
  if (after === null) return before === null ? sql`true` : sql`e.sequence_number < ${before}::bigint`;
  return USER_PLACE.test(after)
    ? sql`e.sequence_number > ${after}::bigint`
    : sql`e.sequence_number >= ${firstAfter(sql, userId, after)}`;
}

function periodCondition(sql: Sql, userId: string, period: PeriodInstants) {
  const { from, to } = period;
  const first = (instant: Date, slackMs: number) => firstAfter(sql, userId, idUpperBound(instant.getTime() + slackMs));
  const since = from === null ? sql`true` : sql`e.sequence_number >= ${first(from, -SLACK_MS)}`;
  const until = to === null ? sql`true` : sql`e.sequence_number < ${first(to, SLACK_MS)}`;
  return sql`${since} and ${until} and ${recordedIn(sql, period, { at: "p.created_at", ids: ["p.id"] })}`;
}

/**
 * Reads a page of the entries of a user's quota account, and one entry more, which shows that another page follows:
 * newest first, or oldest in a sync.
 */
export async function selectUserEntries(
  sql: Sql,
  { userId, period }: { readonly userId: string; readonly period: PeriodInstants },
  page: SyncPage,
): Promise<readonly EntryRecord[]> {
  const whose = { lead: "e.account_id", value: userId, id: "e.sequence_number", ids: "ascending" } as const;
  const { condition, newestFirst, oldestFirst } = indexWalk(sql, whose);
  return sql<EntryRecord[]>`
    select e.sequence_number::text as position, 'user_quota' as account, e.account_id as "accountId",
      e.sequence_number as "sequenceNumber", e.account_id as "userId", null as "counterpartyId",
      e.posting_id as "postingId", p.reference, p.kind, p.business_day::text as day, e.amount,
      e.balance_after as "balanceAfter", p.created_at as "createdAt"
    from service.entries e join service.postings p on p.id = e.posting_id
    where ${condition} and ${numberCondition(sql, userId, page)}
      and ${periodCondition(sql, userId, period)}
    ${page.after === null ? newestFirst : oldestFirst} limit ${page.limit + 1}`;
}
