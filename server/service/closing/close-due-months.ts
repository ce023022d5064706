import type { Sql } from "../../database/connect.ts";
import { firstDayOf, nextMonth } from "../reports/months.ts";
import { closeMonths, lastMonthOver } from "./close-months.ts";
import type { ClosingContext } from "./closing-context.ts";

/** An entity whose books were closed, through which month, and the hash of that month's reports. */
export interface ClosedEntity {
  readonly entityId: string;
  readonly month: string;
  readonly sha256: string;
}

async function entitiesToClose(sql: Sql, month: string, before: Date): Promise<readonly { readonly id: string }[]> {
  return sql<{ id: string }[]>`
    select id from service.entities e
    where created_at < ${before} and not exists (
      select from service.closed_months where entity_id = e.id and month = ${firstDayOf(month)})
    order by id`;
}

/**
 * Closes every month that is over, of every entity, and catches up after downtime. Several processes may do so at once.
 * An entity whose books cannot be closed leaves the others to be closed; then the failures are thrown together. A run
 * that is stopped leaves the remaining entities to the next one.
 */
export async function closeDueMonths(
  context: ClosingContext & { readonly isStopped?: () => boolean },
): Promise<readonly ClosedEntity[]> {
  const month = lastMonthOver(context);
  const before = context.time.startOf(firstDayOf(nextMonth(month)));
  const closed: ClosedEntity[] = [];
  const failures: unknown[] = [];
  for (const { id } of await entitiesToClose(context.sql, month, before)) {
    if (context.isStopped?.()) break;
    const [outcome] = await Promise.allSettled([closeMonths(context, id, month)]);
    if (outcome.status === "rejected") failures.push(outcome.reason);
    else closed.push({ entityId: id, month, sha256: outcome.value.sha256 });
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} entities could not be closed`);
  return closed;
}
