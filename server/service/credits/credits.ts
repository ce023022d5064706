import { addDays } from "../../../src/calendar-day.ts";
import type * as contract from "../../../src/contract/service/credits.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { QueryOf } from "../../../src/contract/shared/operation.ts";
import type { Sql } from "../../database/connect.ts";
import { type Bucket, daysOf } from "../../ledger/decide/days-past-due.ts";
import type { CreditRecord } from "../../ledger/model/credit-commands.ts";
import { CREDITS } from "../../ledger/model/tables.ts";
import { type CreditRow, creditOf } from "../../ledger/storage/load-state.ts";
import { columnsOf } from "../../ledger/storage/table-statements.ts";
import { requireUser } from "../shared/require-user.ts";
import type { ApiCaller, ReadContext } from "../shared/service-context.ts";
import { cutSyncPage, pageClause, positionColumn, readSyncPage, type SyncPage } from "../shared/sync-page.ts";
import { creditAnswer } from "./credit-answer.ts";

type Query = QueryOf<typeof contract.credits>;

/** A credit at its place in the list. */
interface ListedCredit {
  readonly credit: CreditRecord;
  readonly userName: string;
  readonly position: string;
}

const COLUMNS = { id: "id", changed: "changed_id" };

/** Open credits that are as late as the bucket says on a day. */
function inBucket(sql: Sql, bucket: Bucket, day: string) {
  const { first, last } = daysOf(bucket);
  if (first === 0) return sql`state = 'open' and (due_date is null or due_date >= ${day})`;
  const oldest = last === undefined ? sql`` : sql`and due_date >= ${addDays(day, -last)}`;
  return sql`state = 'open' and due_date <= ${addDays(day, -first)} ${oldest}`;
}

/**
 * Reads a page of an entity's credits, filtered by user, loan type, bucket and state, and one credit more, which shows
 * that another page follows.
 */
export async function selectCredits(
  service: Pick<ReadContext, "sql" | "time" | "clock">,
  entityId: string,
  query: Query,
  page: SyncPage,
): Promise<readonly ListedCredit[]> {
  const { sql, time, clock } = service;
  const { "user-id": userId, "loan-product": loanType, bucket, status } = query;
  const whose = userId === undefined ? { lead: "entity_id", value: entityId } : { lead: "user_id", value: userId };
  const rows = await sql<(CreditRow & Omit<ListedCredit, "credit">)[]>`
    select ${columnsOf(sql, CREDITS)}, (select name from service.users u where u.id = user_id) as "userName",
      ${positionColumn(sql, page, COLUMNS)}
    from service.credits
    where ${userId === undefined ? sql`true` : sql`entity_id = ${entityId}`}
      ${loanType === undefined ? sql`` : sql`and loan_type = ${loanType}`}
      ${status === undefined ? sql`` : sql`and state = ${status}`}
      ${bucket === undefined ? sql`` : sql`and ${inBucket(sql, bucket, time.dayOf(clock()))}`}
      and ${pageClause(sql, page, { ...COLUMNS, ...whose })}`;
  return rows.map(({ userName, position, ...row }) => ({ credit: creditOf(row), userName, position }));
}

/** Lists the credits that the caller's entity gave, with the interest of every day up to today. */
export function credits(service: ReadContext): Handler<typeof contract.credits, ApiCaller> {
  const { currency, time, clock } = service;
  return async ({ query, principal }) => {
    const page = await readSyncPage(query, service);
    const userId = query["user-id"];
    if (userId !== undefined) await requireUser(service, userId);
    const { rows, end } = cutSyncPage(await selectCredits(service, principal.entityId, query, page), page);
    const day = time.dayOf(clock());
    return { body: rows.map(({ credit, userName }) => creditAnswer(credit, { userName, day, currency })), ...end };
  };
}
