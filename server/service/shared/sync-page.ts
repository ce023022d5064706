import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Sql } from "../../database/connect.ts";
import { LONGEST_OPEN_MS } from "../../ledger/commit-batch.ts";
import {
  cutPage,
  decodeCursor,
  encodeCursor,
  invalidCursor,
  limitOf,
  type PageQuery,
  UUID,
} from "../../shared/page.ts";
import { idUpperBound } from "./id-below.ts";
import { indexWalk } from "./index-scan.ts";

const TOKEN_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
/** How far the clocks of two processes may be apart. */
const CLOCK_SKEW_MS = 30_000;
/**
 * Ids are drawn before their commit is visible, and commits overlap: one that is open now may have drawn its ids this
 * long ago. A sync token starts that far before its own instant, and rows of that time are returned again.
 */
const OVERLAP_MS = LONGEST_OPEN_MS + CLOCK_SKEW_MS;

/** The list's direction, the instant of its first page, and where the page ended. */
const CURSOR = /^([<>])([1-9]\d{12})\/(.+)$/;
const TOKEN = /^since\/([1-9]\d{12})$/;

/** The page parameters of a list that also returns changes. */
export interface SyncQuery extends PageQuery {
  readonly "changed-since"?: string | undefined;
}

/** A page of a list that also returns changes: the whole list newest first, or its changes oldest first. */
export interface SyncPage {
  readonly limit: number;
  /** The list goes on below this id. */
  readonly before: string | null;
  /** The changes that follow this id; null for the whole list. */
  readonly after: string | null;
  /** When the first page of the list was read: the next sync returns changes from then on. */
  readonly readAt: number;
}

/** The values of a page's answer that its headers carry. */
export interface PageEnd {
  readonly nextCursor: string | undefined;
  readonly syncToken: string;
}

function readToken(token: string, now: Date): string {
  const [, issued] = TOKEN.exec(decodeCursor(token)) ?? [];
  if (issued === undefined) {
    throw new ApiError("invalid_sync_token", { detail: "Take it from the Sync-Token header of an earlier answer." });
  }
  const issuedAt = Number(issued);
  if (now.getTime() - issuedAt > TOKEN_LIFETIME_MS) {
    throw new ApiError("sync_token_too_old", { detail: "Read the whole list again, and keep its Sync-Token." });
  }
  return idUpperBound(issuedAt - OVERLAP_MS);
}

/**
 * Reads `limit`, `cursor` and `changed-since` of a list's query; throws for a cursor or token that is invalid or too
 * old. The sync token of every page holds the time at which the first was read: so changes made during paging come with
 * the next sync.
 */
export function readSyncPage(query: SyncQuery, now: Date, position: RegExp = UUID): SyncPage {
  const { cursor, "changed-since": token } = query;
  const since = token === undefined ? null : readToken(token, now);
  const limit = limitOf(query);
  if (cursor === undefined) return { limit, before: null, after: since, readAt: now.getTime() };
  const [, direction, readAt, place = ""] = CURSOR.exec(decodeCursor(cursor)) ?? [];
  if (direction === undefined || !position.test(place)) throw invalidCursor();
  const isSync = direction === ">";
  if (isSync !== (since !== null)) throw invalidCursor("Send the cursor with the rest of its page's query.");
  const [before, after] = isSync ? [null, place] : [place, null];
  return { limit, before, after, readAt: Number(readAt) };
}

/**
 * Cuts rows that were read one past the limit to a page, with the cursor of the next page and the sync token;
 * `position` is each row's place in the list, or among its changes.
 */
export function cutSyncPage<R extends { readonly position: string }>(
  found: readonly R[],
  { limit, after, readAt }: SyncPage,
): { readonly rows: readonly R[]; readonly end: PageEnd } {
  const cursorOf = ({ position }: R) => `${after === null ? "<" : ">"}${readAt}/${position}`;
  const { rows, nextCursor } = cutPage(found, limit, cursorOf);
  return { rows, end: { nextCursor, syncToken: encodeCursor(`since/${readAt}`) } };
}

/**
 * The columns that order a list: the owner in `lead`, the id of a row, and the id of its latest change. The table has
 * an index of (lead, id desc), and one of (lead, changed).
 */
export interface ListColumns {
  readonly lead: string;
  readonly id: string;
  readonly changed: string;
}

/**
 * Builds the condition, order and length of a page of one table, of the rows with a value in `lead`: the rest of its
 * statement after `where … and`. Select {@link positionColumn} with it.
 */
export function pageClause(
  sql: Sql,
  { limit, before, after }: SyncPage,
  { lead, value, id, changed }: ListColumns & { readonly value: string },
) {
  if (after !== null) {
    const { condition, oldestFirst } = indexWalk(sql, { lead, value, id: changed, ids: "ascending" });
    return sql`${condition} and ${sql(changed)} > ${after} ${oldestFirst} limit ${limit + 1}`;
  }
  const { condition, newestFirst } = indexWalk(sql, { lead, value, id, ids: "descending" });
  const below = before === null ? sql`` : sql`and ${sql(id)} < ${before}`;
  return sql`${condition} ${below} ${newestFirst} limit ${limit + 1}`;
}

/** Builds the SQL of the column that orders a page, named `position`. */
export function positionColumn(sql: Sql, { after }: SyncPage, { id, changed }: Pick<ListColumns, "id" | "changed">) {
  return sql`${sql(after === null ? id : changed)} as position`;
}
