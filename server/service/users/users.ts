import { getCountryCallingCode } from "libphonenumber-js";
import type * as contract from "../../../src/contract/service/user-list.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { QueryOf } from "../../../src/contract/shared/operation.ts";
import { parseExactJson } from "../../../src/parse-exact-json.ts";
import type { Sql } from "../../database/connect.ts";
import { USERS } from "../../ledger/model/tables.ts";
import { columnsOf } from "../../ledger/storage/table-statements.ts";
import type { ApiCaller, ReadContext } from "../shared/service-context.ts";
import { cutSyncPage, pageClause, positionColumn, readSyncPage, type SyncPage } from "../shared/sync-page.ts";
import { bareNit, DEFAULT_REGION, type UserRecord } from "./find-user.ts";
import { readStandings, type Standing } from "./read-standing.ts";
import { userAnswer } from "./user-answer.ts";

/** Letters as they are compared: without accents and in lower case. */
function plainLetters(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function nameHolds(sql: Sql, column: string, letters: string) {
  if (letters === "") return sql`false`;
  const name = sql(column);
  // Most names are ASCII, which has no accents to take off: a search reads every name, so this halves its time.
  return sql`strpos(lower(case when octet_length(${name}) = char_length(${name}) then ${name}
    else regexp_replace(normalize(${name}, NFD), '[\\u0300-\\u036f]', '', 'g') end), ${letters}) > 0`;
}

function phoneBegins(sql: Sql, text: string) {
  if (!/^[+\d\s().-]+$/.test(text)) return sql`false`;
  const digits = text.replace(/\D/g, "");
  if (digits === "") return sql`false`;
  const national = text.startsWith("+")
    ? sql`false`
    : sql`starts_with(u.phone, ${`+${getCountryCallingCode(DEFAULT_REGION)}${digits}`})`;
  return sql`(starts_with(u.phone, ${`+${digits}`}) or ${national})`;
}

/** The condition that a user `u` is what somebody types in search of it: a part of a name, or the start of an id. */
function searchCondition(sql: Sql, typed: string) {
  const text = typed.trim();
  const nit = bareNit(text);
  const nitBegins = /^[A-Z0-9]+$/.test(nit) ? sql`starts_with(u.nit, ${nit})` : sql`false`;
  const letters = plainLetters(text);
  return sql`(${nameHolds(sql, "u.name", letters)} or ${nameHolds(sql, "u.business_name", letters)}
    or ${nitBegins} or ${phoneBegins(sql, text)})`;
}

/** A user's row as it is listed; its image stays in the database. */
type ListedRow = Omit<UserRecord, "paymentData" | "image"> & {
  readonly paymentData: string;
  readonly createdAt: Date;
  readonly position: string;
};

const UNLISTED = ["apnTokenHash", "changedId", "image", "importedHistory"] as const;
const COLUMNS = { lead: "u.creator_id", id: "u.id", changed: "u.changed_id" };

/** A user as it is listed: created by the caller, which may see every field. */
function listedUser(row: ListedRow, { suggestedStatus }: Standing, service: ReadContext): contract.ListedUser {
  const view = { suggestedStatus, history: [] };
  const paymentData = parseExactJson(row.paymentData) as UserRecord["paymentData"];
  const {
    history: _history,
    image: _image,
    ...answer
  } = userAnswer({ ...row, image: null, paymentData }, view, service);
  return { ...answer, created_at: row.createdAt.toISOString() };
}

/**
 * Reads a page of the users that an entity created, filtered by status and search text, and one user more, which shows
 * that another page follows.
 */
export async function selectUsers(
  { sql }: Pick<ReadContext, "sql">,
  entityId: string,
  { q, status }: Pick<QueryOf<typeof contract.users>, "q" | "status">,
  page: SyncPage,
): Promise<readonly ListedRow[]> {
  return sql<ListedRow[]>`
    select ${columnsOf(sql, USERS, UNLISTED)}, '[]' as "importedHistory", posted, held,
      ${positionColumn(sql, page, COLUMNS)}
    from service.users u join service.accounts using (id)
    where ${status === undefined ? sql`true` : sql`u.status = ${status}`}
      and ${q === undefined ? sql`true` : searchCondition(sql, q)}
      and ${pageClause(sql, page, { ...COLUMNS, value: entityId })}`;
}

/** Lists the users that the caller's entity created. */
export function users(service: ReadContext): Handler<typeof contract.users, ApiCaller> {
  return async ({ query, principal }) => {
    const page = await readSyncPage(query, service);
    const found = await selectUsers(service, principal.entityId, query, page);
    const { rows, end } = cutSyncPage(found, page);
    const ids = rows.map(({ id }) => id);
    const standings = await readStandings(service, ids, principal.entityId);
    return { body: rows.map((row) => listedUser(row, standings.of(row.id), service)), ...end };
  };
}
