/** A run of an account's entries, one after another, that are booked on one day; it ends where the next run begins. */
export interface BookedRun {
  readonly day: string;
  /** The sequence number of its first entry. */
  readonly firstEntry: bigint;
}

/** Entries of an account one after another: from the first number up to, and without, the end. */
export interface Stretch {
  readonly first: bigint;
  readonly end: bigint;
}

/** The entries that a statement is made of: those booked before its days, and those on them by day and number. */
export interface BookedStretches {
  readonly before: readonly Stretch[];
  readonly within: readonly Stretch[];
}

/** Joins neighbouring stretches, which mostly gives one: days run with numbers, but for clocks that differ. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const all: Stretch[] = [];
  for (const { first, end } of stretches) {
    const last = all.at(-1);
    if (last?.end === first) all[all.length - 1] = { first: last.first, end };
    else all.push({ first, end });
  }
  return all;
}

/**
 * Finds the entries of an account, as it stood with `count` entries, that are booked before a range of days and on its
 * days. Runs come in the order of numbers; days are `YYYY-MM-DD`, the last one included.
 */
export function bookedStretches(
  runs: readonly BookedRun[],
  count: bigint,
  { fromDay, toDay }: { readonly fromDay: string; readonly toDay: string },
): BookedStretches {
  const known = runs.filter(({ firstEntry }) => firstEntry <= count);
  const stretches = known.map(({ day, firstEntry }, index) => {
    return { day, first: firstEntry, end: known[index + 1]?.firstEntry ?? count + 1n };
  });
  const within = stretches.filter(({ day }) => day >= fromDay && day <= toDay);
  return {
    before: joined(stretches.filter(({ day }) => day < fromDay)),
    // Sorting is stable: runs of one day stay in the order of numbers.
    within: joined(within.sort((left, right) => (left.day < right.day ? -1 : left.day > right.day ? 1 : 0))),
  };
}

/** The number of an entry on a page of a statement, and the stretch that it is in. */
export interface PlacedEntry {
  readonly number: bigint;
  readonly stretch: Stretch;
}

/** Lists the entries of a page, in the order of the statement: at most `limit`, after the first `offset`. */
export function pageOf(within: readonly Stretch[], offset: bigint, limit: number): PlacedEntry[] {
  const page: PlacedEntry[] = [];
  let skipped = offset;
  for (const stretch of within) {
    const length = stretch.end - stretch.first;
    for (let at = skipped; at < length && page.length < limit; at += 1n) {
      page.push({ number: stretch.first + at, stretch });
    }
    skipped = skipped > length ? skipped - length : 0n;
  }
  return page;
}
