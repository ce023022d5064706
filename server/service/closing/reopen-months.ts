import { addDays } from "../../../src/calendar-day.ts";
import type { Sql } from "../../database/connect.ts";
import { firstDayOf, monthOf } from "../reports/months.ts";

/** A month whose closing was undone, with the hash of the reports that stay kept. */
export interface ReopenedMonth {
  readonly month: string;
  readonly closedAt: Date;
  readonly sha256: string;
}

/** Which months are opened again, and by whom. */
export interface Reopening {
  readonly entityId: string;
  /** The first of them, `YYYY-MM`. */
  readonly month: string;
  readonly now: Date;
  /** An API client's id, or `command line`. */
  readonly madeBy: string;
}

/**
 * Opens a closed month of an entity again, and every closed month after it; one that is open stays as it is. Their
 * reports stay kept, beside when and by whom they were opened. Postings that were booked on a later day because a month
 * was closed stay on that day.
 */
export async function reopenMonths(
  sql: Sql,
  { entityId, month, now, madeBy }: Reopening,
): Promise<readonly ReopenedMonth[]> {
  const firstDay = firstDayOf(month);
  return sql.begin(async (tx) => {
    // Commits hold the row in share mode, and a closing locks it too: they come before this update, or see it.
    await tx`
      update service.entities set closed_through = ${addDays(firstDay, -1)}
      where id = ${entityId} and closed_through >= ${firstDay}`;
    const rows = await tx<{ month: string; closedAt: Date; hash: Uint8Array }[]>`
      with opened as (
        insert into service.month_reopenings (entity_id, month, version, reopened_at, made_by)
        select entity_id, month, version, ${now}, ${madeBy} from service.closed_months
        where entity_id = ${entityId} and month >= ${firstDay}
        on conflict do nothing returning month, version)
      select o.month::text, c.closed_at as "closedAt", c.hash from opened o
      join service.month_closes c on c.entity_id = ${entityId} and c.month = o.month and c.version = o.version
      order by o.month`;
    return rows.map((row) => ({
      month: monthOf(row.month),
      closedAt: row.closedAt,
      sha256: Buffer.from(row.hash).toString("hex"),
    }));
  });
}
