import type * as contract from "../../../src/contract/service/books.ts";
import type { Sql } from "../../database/connect.ts";
import { indexWalk, withoutSelectivity } from "../shared/index-scan.ts";
import { recordedIn } from "../shared/list-period.ts";
import type { PeriodInstants } from "../shared/period-instants.ts";
import type { SyncPage } from "../shared/sync-page.ts";

/** An entry of an account, with its position in a list of that account's entries. */
export interface EntryRecord {
  readonly position: string;
  readonly account: contract.Entry["account"];
  readonly accountId: string;
  readonly sequenceNumber: bigint;
  readonly userId: string | null;
  readonly counterpartyId: string | null;
  readonly postingId: string;
  readonly reference: string;
  readonly kind: contract.Entry["kind"];
  readonly day: string;
  readonly amount: bigint;
  readonly balanceAfter: bigint | null;
  readonly createdAt: Date;
}

/** Which entries of an entity's own accounts are listed. */
interface EntityEntryFilter {
  readonly entityId: string;
  readonly kind: string;
  readonly counterpartyId: string | null;
  readonly period: PeriodInstants;
}

const ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/**
 * The regular expression of an entry's position in a list of an entity's account: the ids of posting and account, and
 * the sequence number.
 */
export const ENTITY_PLACE = new RegExp(`^${ID}/${ID}/\\d{1,18}$`);

const FIRST_PART = "00000000-0000-0000-0000-000000000000";

/** A place, or an id that all postings of a sync come after, as the index orders entries. */
function placeOf(sql: Sql, text: string) {
  const [postingId = "", accountId = FIRST_PART, sequenceNumber = "0"] = text.split("/");
  return sql`(${postingId}::uuid, ${accountId}::uuid, ${sequenceNumber}::bigint)`;
}

function placeCondition(sql: Sql, { before, after }: SyncPage) {
  const place = sql`(n.posting_id, n.account_id, n.sequence_number)`;
  if (after !== null) return sql`${place} > ${placeOf(sql, after)}`;
  return before === null ? sql`true` : sql`${place} < ${placeOf(sql, before)}`;
}

/**
 * Reads a page of the entries of an entity's accounts of one kind, and one entry more, which shows that another page
 * follows: newest posting first, or oldest in a sync.
 */
export async function selectEntityEntries(
  sql: Sql,
  { entityId, kind, counterpartyId, period }: EntityEntryFilter,
  page: SyncPage,
): Promise<readonly EntryRecord[]> {
  const whose = { lead: "n.entity_id", value: entityId, id: "n.posting_id", ids: "ascending" } as const;
  const { condition, newestFirst, oldestFirst } = indexWalk(sql, whose);
  const [order, direction] = page.after === null ? [newestFirst, sql`desc`] : [oldestFirst, sql`asc`];
  return sql<EntryRecord[]>`
    select n.posting_id || '/' || n.account_id || '/' || n.sequence_number as position, n.kind as account,
      n.account_id as "accountId", n.sequence_number as "sequenceNumber", null as "userId",
      a.counterparty_id as "counterpartyId", n.posting_id as "postingId", p.reference, p.kind,
      p.business_day::text as day, e.amount, null as "balanceAfter", p.created_at as "createdAt"
    from service.entity_entries n
    join service.entries e on e.account_id = n.account_id and e.sequence_number = n.sequence_number
    join service.postings p on p.id = n.posting_id join service.accounts a on a.id = n.account_id
    where ${condition} and n.kind = ${kind} and ${placeCondition(sql, page)}
      and ${counterpartyId === null ? sql`true` : withoutSelectivity(sql, sql`a.counterparty_id = ${counterpartyId}`)}
      and ${recordedIn(sql, period, { at: "p.created_at", ids: ["n.posting_id", "p.id"] })}
    ${order}, n.account_id ${direction}, n.sequence_number ${direction}
    limit ${page.limit + 1}`;
}
