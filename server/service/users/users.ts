import type * as contract from "../../../src/contract/service/user-list.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { QueryOf } from "../../../src/contract/shared/operation.ts";
import { parseExactJson } from "../../../src/parse-exact-json.ts";
import { cutSyncPage, pageClause, positionColumn, readSyncPage, type SyncPage } from "../shared/page.ts";
import type { ApiCaller, ServiceContext } from "../shared/service-context.ts";
import type { UserRecord } from "./find-user.ts";
import { readStandings, type Standing } from "./read-standing.ts";
import { searchCondition } from "./search-condition.ts";
import { userAnswer } from "./user-answer.ts";

/** A user's row as it is listed; its image stays in the database. */
type ListedRow = Omit<UserRecord, "paymentData" | "image"> & {
  readonly paymentData: string;
  readonly createdAt: Date;
  readonly position: string;
};

const COLUMNS = { lead: "u.creator_id", id: "u.id", changed: "u.changed_id" };

/** A user as it is listed: created by the caller, which may see every field. */
function listedUser(row: ListedRow, { suggestedStatus }: Standing, service: ServiceContext): contract.ListedUser {
  const view = { suggestedStatus, history: [] };
  const paymentData = parseExactJson(row.paymentData) as UserRecord["paymentData"];
  const {
    history: _history,
    image: _image,
    ...answer
  } = userAnswer({ ...row, image: null, paymentData }, view, service);
  return { ...answer, created_at: row.createdAt.toISOString() };
}

/** Reads one user more than a page. */
export async function selectUsers(
  { sql }: Pick<ServiceContext, "sql">,
  entityId: string,
  { q, status }: Pick<QueryOf<typeof contract.users>, "q" | "status">,
  page: SyncPage,
): Promise<readonly ListedRow[]> {
  return sql<ListedRow[]>`
    select u.id, u.creator_id as "creatorId", u.name, u.business_name as "businessName", u.nit, u.phone, u.email,
      u.address, u.score, u.status, u.payment_data as "paymentData", u.blocked_at as "blockedAt",
      '[]' as "importedHistory", a.posted, a.held, u.created_at as "createdAt", ${positionColumn(sql, page, COLUMNS)}
    from service.users u join service.accounts a on a.id = u.id
    where ${status === undefined ? sql`true` : sql`u.status = ${status}`}
      and ${q === undefined ? sql`true` : searchCondition(sql, q)}
      and ${pageClause(sql, page, { ...COLUMNS, value: entityId })}`;
}

/** Lists the users that the caller's entity created. */
export function users(service: ServiceContext): Handler<typeof contract.users, ApiCaller> {
  return async ({ query, principal }) => {
    const page = readSyncPage(query, service.clock());
    const found = await selectUsers(service, principal.entityId, query, page);
    const { rows, end } = cutSyncPage(found, page);
    const ids = rows.map(({ id }) => id);
    const standings = await readStandings(service, ids, principal.entityId);
    return { body: rows.map((row) => listedUser(row, standings.of(row.id), service)), ...end };
  };
}
