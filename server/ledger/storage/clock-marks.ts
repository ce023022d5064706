import type { Sql, Tx } from "../../database/connect.ts";
import type { ClockReading } from "../model/machine-clock.ts";

/** The latest word on the clock: it strayed, or a person confirmed the time. */
interface DecisiveMark {
  readonly id: bigint;
  readonly kind: "strayed" | "confirmed";
}

/** The clock readings that the database returns with every locking statement. */
export interface ToldClock {
  readonly databaseAt: Date;
  readonly mark: DecisiveMark | undefined;
}

/** The newest posting: ids rise, so it is the one that was made last. */
interface NewestPosting {
  readonly id: string;
  readonly createdAt: Date;
}

/** The state of the clock at one look. */
export interface ClockState extends ToldClock {
  /** Where this machine's clock stood when it was first seen after the last confirmation. */
  readonly seen: ClockReading | undefined;
  readonly newest: NewestPosting | undefined;
  /** The newest posting when the time was confirmed last: it and those before it may be ahead. */
  readonly confirmedPostingId: string | null;
  /** The words of the decisive mark. */
  readonly note: string | null;
}

/** A mark to keep. */
export interface ClockMark extends ClockReading {
  readonly kind: "seen" | "strayed" | "confirmed";
  readonly machine: string;
  readonly newestPostingId: string | null;
  readonly note: string;
}

/** The columns of {@link ToldClock}, for a statement that is sent anyway. */
export function clockColumns(sql: Sql | Tx) {
  return sql`clock_timestamp() as "databaseAt",
    (select id from service.clock_marks where kind <> 'seen' order by id desc limit 1) as "markId",
    (select kind from service.clock_marks where kind <> 'seen' order by id desc limit 1) as "markKind"`;
}

/** A row of {@link clockColumns}. */
export interface ToldClockRow {
  readonly databaseAt: Date;
  readonly markId: bigint | null;
  readonly markKind: DecisiveMark["kind"] | null;
}

/** Maps a row to its clock readings. */
export function toldClockOf({ databaseAt, markId, markKind }: ToldClockRow): ToldClock {
  return { databaseAt, mark: markId === null || markKind === null ? undefined : { id: markId, kind: markKind } };
}

/** Reads what is known of the clock. */
export async function readClockState(sql: Sql, machine: string): Promise<ClockState> {
  const [row] = await sql<
    (ToldClockRow & {
      seenAt: Date | null;
      seenUpMs: bigint | null;
      newestId: string | null;
      newestAt: Date | null;
      confirmedPostingId: string | null;
      note: string | null;
    })[]
  >`
    with confirmed as (
      select id, newest_posting_id from service.clock_marks where kind = 'confirmed' order by id desc limit 1)
    select ${clockColumns(sql)}, s.at as "seenAt", s.up_ms as "seenUpMs", p.id as "newestId",
      p.created_at as "newestAt",
      (select newest_posting_id from confirmed) as "confirmedPostingId",
      (select note from service.clock_marks where kind <> 'seen' order by id desc limit 1) as note
    from (select) as always
    left join lateral (select at, up_ms from service.clock_marks where kind = 'seen' and machine = ${machine}
      and id > coalesce((select id from confirmed), 0) order by id desc limit 1) s on true
    left join lateral (select id, created_at from service.postings order by id desc limit 1) p on true`;
  if (row === undefined) throw new Error("a look at the clock has one row");
  const { seenAt, seenUpMs, newestId, newestAt, confirmedPostingId, note } = row;
  return {
    ...toldClockOf(row),
    seen: seenAt === null || seenUpMs === null ? undefined : { at: seenAt, upMs: Number(seenUpMs) },
    newest: newestId === null || newestAt === null ? undefined : { id: newestId, createdAt: newestAt },
    confirmedPostingId,
    note,
  };
}

/** Keeps a mark. */
export async function keepClockMark(sql: Sql, { kind, machine, at, upMs, newestPostingId, note }: ClockMark) {
  const row = { kind, machine, at, up_ms: Math.round(upMs), newest_posting_id: newestPostingId, note };
  await sql`insert into service.clock_marks ${sql(row)}`;
}
