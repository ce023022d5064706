import { ApiError } from "../../../src/contract/shared/errors.ts";

const DEFAULT_LIMIT = 100;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The page of a list that a request asks for. */
interface PageQuery {
  readonly limit?: string | undefined;
  /** Opaque to callers: the id that the page before ended with. */
  readonly cursor?: string | undefined;
}

/** Bounds of the rows to read for a page. */
interface PageRead {
  /** One more than is shown, so that it is known whether there is a next page. */
  readonly limit: number;
  /** Only rows with a smaller id; undefined on the first page. */
  readonly before: string | undefined;
}

function idOf(cursor: string): string {
  const id = Buffer.from(cursor, "base64url").toString("latin1");
  if (UUID.test(id)) return id;
  throw new ApiError("invalid_cursor", { detail: "Take the cursor from the Link header of the page before." });
}

/** Reads one page of a list by descending ids (newest first, as ids of version 7 are); throws `invalid_cursor`. */
export async function newestFirst<R extends { readonly id: string }>(
  query: PageQuery,
  read: (page: PageRead) => Promise<readonly R[]>,
): Promise<{ readonly page: readonly R[]; readonly nextCursor: string | undefined }> {
  const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
  const before = query.cursor === undefined ? undefined : idOf(query.cursor);
  const rows = await read({ limit: limit + 1, before });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { page, nextCursor: last && Buffer.from(last.id, "latin1").toString("base64url") };
}
