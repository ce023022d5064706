import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Sql } from "../../database/connect.ts";
import { ON_ITS_WAY_MS } from "../../ledger/storage/check-remembered.ts";
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
import type { ServiceContext } from "./service-context.ts";

const TOKEN_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
/**
 * How far the clocks of two processes may be apart, and how long ids may be on their way until their commit is told to
 * be open: changes of so long before a token are returned again.
 */
const OVERLAP_MS = 30_000 + ON_ITS_WAY_MS;
/** The same for tokens of version 0.1.0, which hold when they were issued, whichever commits were open. */
const GUESSED_OVERLAP_MS = 150_000;

/** The list's direction, the instant of its token, and where the page ended. */
const CURSOR = /^([<>])from\/([1-9]\d{12})\/(.+)$/;
const TOKEN = /^(from|since)\/([1-9]\d{12})$/;

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
  /** From when on changes may be missing in the list: the next sync returns those. */
  readonly changesFrom: number;
}

/** The values of a page's answer that its headers carry. */
export interface PageEnd {
  readonly nextCursor: string | undefined;
  readonly syncToken: string;
}

/** The id below which no row is recorded any more, given from when on changes may be missing. */
export function settledBelow(changesFromMs: number): string {
  return idUpperBound(changesFromMs - OVERLAP_MS);
}

function readToken(token: string, now: Date): string {
  const [, kind, issued] = TOKEN.exec(decodeCursor(token)) ?? [];
  if (issued === undefined) {
    throw new ApiError("invalid_sync_token", { detail: "Take it from the Sync-Token header of an earlier answer." });
  }
  const issuedAt = Number(issued);
  if (now.getTime() - issuedAt > TOKEN_LIFETIME_MS) {
    throw new ApiError("sync_token_too_old", { detail: "Read the whole list again, and keep its Sync-Token." });
  }
  return kind === "from" ? settledBelow(issuedAt) : idUpperBound(issuedAt - GUESSED_OVERLAP_MS);
}

/**
 * Reads `limit`, `cursor` and `changed-since` of a list's query; throws for a cursor or token that is invalid or too
 * old. Rows must be read after it. The sync token of every page is that of the first: so changes made during paging
 * come with the next sync.
 */
export async function readSyncPage(
  query: SyncQuery,
  { clock, changesFrom }: Pick<ServiceContext, "clock" | "changesFrom">,
  position: RegExp = UUID,
): Promise<SyncPage> {
  const { cursor, "changed-since": token } = query;
  const since = token === undefined ? null : readToken(token, clock());
  const limit = limitOf(query);
  if (cursor === undefined) {
    return { limit, before: null, after: since, changesFrom: (await changesFrom()).getTime() };
  }
  const [, direction, from, place = ""] = CURSOR.exec(decodeCursor(cursor)) ?? [];
  if (direction === undefined || !position.test(place)) throw invalidCursor();
  const isSync = direction === ">";
  if (isSync !== (since !== null)) throw invalidCursor("Send the cursor with the rest of its page's query.");
  const [before, after] = isSync ? [null, place] : [place, null];
  return { limit, before, after, changesFrom: Number(from) };
}

/**
 * Cuts rows that were read one past the limit to a page, with the cursor of the next page and the sync token;
 * `position` is each row's place in the list, or among its changes.
 */
export function cutSyncPage<R extends { readonly position: string }>(
  found: readonly R[],
  { limit, after, changesFrom }: SyncPage,
): { readonly rows: readonly R[]; readonly end: PageEnd } {
  const token = `from/${changesFrom}`;
  const cursorOf = ({ position }: R) => `${after === null ? "<" : ">"}${token}/${position}`;
  const { rows, nextCursor } = cutPage(found, limit, cursorOf);
  return { rows, end: { nextCursor, syncToken: encodeCursor(token) } };
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
