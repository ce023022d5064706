import { ApiError } from "../../src/contract/shared/errors.ts";

const DEFAULT_LIMIT = 100;

/** Pattern of a UUID in lower case: the id of a row, which is the position that most cursors hold. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The page parameters of a list's query. */
export interface PageQuery {
  readonly limit?: string | undefined;
  /** Opaque to callers. */
  readonly cursor?: string | undefined;
}

/** The part of a list to read from the database for one page. */
export interface PagePart {
  /** One more than are shown, so that it is known whether there is a next page. */
  readonly limit: number;
  /** The list goes on after this position; undefined on the first page. */
  readonly before: string | undefined;
}

/** A page of a list, and the cursor of the next one where there is one. */
export interface RowPage<R> {
  readonly rows: readonly R[];
  readonly nextCursor: string | undefined;
}

/** Returns the number of rows that a page shows: as many as the query asks for, or 100. */
export function limitOf({ limit }: PageQuery): number {
  return limit === undefined ? DEFAULT_LIMIT : Number(limit);
}

/** Encodes the text of a cursor, or of another token of a list (ASCII), so that it is opaque to callers. */
export function encodeCursor(text: string): string {
  return Buffer.from(text, "latin1").toString("base64url");
}

/** Decodes what {@link encodeCursor} wrote; any text may come out, and the caller checks it. */
export function decodeCursor(cursor: string): string {
  return Buffer.from(cursor, "base64url").toString("latin1");
}

/** Makes the `invalid_cursor` error for a cursor that no page gave. */
export function invalidCursor(detail = "Take the cursor from the Link header of the page before."): ApiError {
  return new ApiError("invalid_cursor", { detail });
}

/** Cuts a page from rows that were read one past the limit; `cursorOf` makes the text of the next page's cursor. */
export function cutPage<R>(rows: readonly R[], limit: number, cursorOf: (last: R) => string): RowPage<R> {
  const last = rows[limit - 1];
  if (rows.length <= limit || last === undefined) return { rows, nextCursor: undefined };
  return { rows: rows.slice(0, limit), nextCursor: encodeCursor(cursorOf(last)) };
}

/** Reads a page of a list whose cursors hold the id of the page's last row; throws `invalid_cursor`. */
export async function readPage<R extends { readonly id: string }>(
  query: PageQuery,
  read: (part: PagePart) => Promise<readonly R[]>,
  id: RegExp = UUID,
): Promise<RowPage<R>> {
  const before = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
  if (before !== undefined && !id.test(before)) throw invalidCursor();
  const limit = limitOf(query);
  return cutPage(await read({ limit: limit + 1, before }), limit, (last) => last.id);
}
