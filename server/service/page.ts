import { ApiError } from "../../src/contract/errors.ts";

const DEFAULT_LIMIT = 100;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Where a page of a list starts and how long it is. */
export interface Page {
  readonly limit: number;
  /** The list goes on below this id. */
  readonly before: string | null;
}

/** Reads `limit` and `cursor`; a cursor that we did not write is `invalid_cursor`. */
export function readPage(query: { readonly limit?: string | undefined; readonly cursor?: string | undefined }): Page {
  const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
  if (query.cursor === undefined) return { limit, before: null };
  const before = Buffer.from(query.cursor, "base64url").toString("latin1");
  if (!UUID.test(before)) {
    throw new ApiError("invalid_cursor", { detail: "Take the cursor from the Link header of the page before." });
  }
  return { limit, before };
}

/** Cuts rows that were read one past the limit, and gives the cursor of the next page where there is one. */
export function cutPage<R extends { readonly id: string }>(
  rows: readonly R[],
  { limit }: Page,
): { readonly rows: readonly R[]; readonly nextCursor: string | undefined } {
  const last = rows[limit - 1];
  if (rows.length <= limit || last === undefined) return { rows, nextCursor: undefined };
  return { rows: rows.slice(0, limit), nextCursor: Buffer.from(last.id, "latin1").toString("base64url") };
}
