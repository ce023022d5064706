import { addDays } from "../../../src/calendar-day.ts";
import type { Tx } from "../../database/connect.ts";
import { firstAfter } from "../books/select-user-entries.ts";
import { idUpperBound } from "../shared/id-below.ts";
import { SLACK_MS } from "../shared/list-period.ts";
import type { ServiceContext } from "../shared/service-context.ts";
import { debtsAt, debtsOf } from "./debts-at.ts";
import type { ReportPeriod } from "./report-period.ts";

/**
 * The counts of one group of an entity's clients: those of one set status and one oldest unpaid due date, with a
 * written-off credit or without.
 */
export interface CountedClients {
  readonly status: "active" | "arrear" | "default";
  /** Null where nothing is owed, or nothing that falls due. */
  readonly dueDate: string | null;
  readonly isWrittenOff: boolean;
  readonly clients: bigint;
  readonly isNew: bigint;
  readonly active: bigint;
  readonly dormant: bigint;
  readonly borrowers: bigint;
  readonly outstanding: bigint;
}

type Time = Pick<ServiceContext, "time">;

/** Days without a settled movement that make a client dormant. */
const DORMANT_DAYS = 90;

/** The entity whose clients are read, and one of its clients where only that one is meant. */
export interface ClientsOf {
  readonly entityId: string;
  readonly userId: string | null;
}

/** True if the entity created the user, or ever gave the user a credit. */
export async function isClient(tx: Tx, entityId: string, userId: string): Promise<boolean> {
  const found = await tx`
    select 1 from service.users where id = ${userId} and creator_id = ${entityId}
    union all select 1 from service.credits where user_id = ${userId} and entity_id = ${entityId} limit 1`;
  return found.length > 0;
}

/** True if an account had an entry from one day through another; its latest entry's day mostly decides that. */
function movedBetween(tx: Tx, first: string, last: string) {
  return tx`coalesce(a.active_on >= ${first} and (a.active_on <= ${last} or exists (
    select from service.account_days d where d.account_id = c.id and d.day between ${first} and ${last})), false)`;
}

/**
 * True if a client's account had an entry in a period that its entity may know of. Entries of another entity's user are
 * known to that entity alone, except those that went through the books between the two.
 */
function wasMoved(tx: Tx, { time }: Time, entityId: string, first: string, last: string) {
  const before = idUpperBound(time.startOf(first).getTime() - SLACK_MS);
  return tx`(${movedBetween(tx, first, last)} and (u.creator_id = ${entityId} or exists (
    select from service.entries e join service.postings p on p.id = e.posting_id
    where e.account_id = c.id and e.sequence_number >= ${firstAfter(tx, tx`c.id`, before)}
      and p.business_day between ${first} and ${last} and exists (
        select from service.entity_entries b where b.entity_id = ${entityId} and b.kind in ('due_from', 'due_to')
          and b.posting_id = p.id))))`;
}

function clientsSince(tx: Tx, { entityId, userId }: ClientsOf) {
  const [own, borrowing] = userId === null ? [tx``, tx``] : [tx`and id = ${userId}`, tx`and user_id = ${userId}`];
  return tx`
    select id, min(since) as since from (
      select id, created_at as since from service.users where creator_id = ${entityId} ${own}
      union all
      select user_id, min(created_at) from service.credits where entity_id = ${entityId} ${borrowing}
      group by user_id) as all_since
    group by id`;
}

/**
 * Reads the counts of an entity's clients as they were at the end of a period, by set status, oldest unpaid due date
 * and written-off credit. The set status is that of now: earlier ones are not kept.
 */
export async function readClients(
  tx: Tx,
  { time }: Time,
  of: ClientsOf,
  { firstDay, lastDay }: ReportPeriod,
): Promise<CountedClients[]> {
  const debts = await debtsOf(tx, of.entityId, lastDay);
  const movedIn = (first: string) => wasMoved(tx, { time }, of.entityId, first, lastDay);
  const rows = await tx<(Omit<CountedClients, "outstanding"> & { readonly outstanding: string })[]>`
    with debts as (
      select user_id, min(due_date) as due_date, sum(outstanding) as outstanding
      from (${debtsAt(tx, debts)}) as owed group by user_id),
    losses as (
      select distinct user_id from service.credits
      where entity_id = ${of.entityId} and state = 'written_off' and closed_on <= ${lastDay})
    select u.status, d.due_date::text as "dueDate", l.user_id is not null as "isWrittenOff", count(*) as clients,
      count(*) filter (where c.since >= ${time.startOf(firstDay)}) as "isNew",
      count(*) filter (where ${movedIn(firstDay)}) as active,
      count(*) filter (where not ${movedIn(addDays(lastDay, 1 - DORMANT_DAYS))}) as dormant,
      count(d.user_id) as borrowers, coalesce(sum(d.outstanding), 0)::text as outstanding
    from (${clientsSince(tx, of)}) c
    join service.users u on u.id = c.id
    join service.accounts a on a.id = c.id
    left join debts d on d.user_id = c.id
    left join losses l on l.user_id = c.id
    where c.since < ${time.startOf(addDays(lastDay, 1))}
    group by u.status, d.due_date, l.user_id is not null`;
  return rows.map((row) => ({ ...row, outstanding: BigInt(row.outstanding) }));
}
