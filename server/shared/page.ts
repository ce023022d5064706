import { ApiError } from "../../src/contract/shared/errors.ts";

const DEFAULT_LIMIT = 100;

/** The id of a row: the position that most cursors hold. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The page parameters of a list's query. */
export interface PageQuery {
  readonly limit?: string | undefined;
  /** Opaque to callers. */
  readonly cursor?: string | undefined;
}

/** The rows to read for a page. */
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

/** The number of rows that a query asks for. */
export function limitOf({ limit }: PageQuery): number {
  return limit === undefined ? DEFAULT_LIMIT : Number(limit);
}

/** Writes a cursor, or another token of a list: opaque text of ASCII. */
export function encodeCursor(text: string): string {
  return Buffer.from(text, "latin1").toString("base64url");
}

/** Reads what {@link encodeCursor} wrote; the caller checks the text. */
export function decodeCursor(cursor: string): string {
  return Buffer.from(cursor, "base64url").toString("latin1");
}

/** Makes the refusal of a cursor that no page gave. */
export function invalidCursor(detail = "Take the cursor from the Link header of the page before."): ApiError {
  return new ApiError("invalid_cursor", { detail });
}

/** Cuts rows that were read one past the limit; `cursorOf` makes the text of the next cursor. */
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
