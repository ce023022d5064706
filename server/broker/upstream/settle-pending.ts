/** The page of running items to settle next. */
export interface LeftList<R> {
  /** Only items that began before this time. */
  readonly before: Date;
  /** The list goes on after this one. */
  readonly after: R | undefined;
  readonly limit: number;
}

const AT_ONCE = 100;

/** Settles all that a process left running, this one or one that died: the oldest first, one after the other. */
export async function settleAllLeft<R>(
  before: Date,
  list: (which: LeftList<R>) => Promise<readonly R[]>,
  settle: (row: R) => Promise<unknown>,
): Promise<void> {
  let rows: readonly R[] = [];
  do {
    rows = await list({ before, after: rows.at(-1), limit: AT_ONCE });
    for (const row of rows) await settle(row);
  } while (rows.length === AT_ONCE);
}
