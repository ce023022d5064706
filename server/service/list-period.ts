import type { BusinessTime } from "../../src/business-time.ts";
import type { Sql } from "../database/connect.ts";
import { idBelow } from "./id-below.ts";
import { type PeriodInstants, type PeriodQuery, periodInstants } from "./period-instants.ts";
import { refuseFaults } from "./service-context.ts";

/** An id is drawn at the time of recording, give or take what a clock was set back. */
const SLACK_MS = 24 * 60 * 60 * 1000;

/**
 * The period of a list. An end that is not said is open, and no period is too long: a list goes page by page, and an
 * app shows all that there is.
 */
export function readListPeriod(time: BusinessTime, query: PeriodQuery): PeriodInstants {
  const period = periodInstants(time, query);
  const { from, to } = period;
  if (from !== null && to !== null && to < from) {
    refuseFaults([{ parameter: "to-date", detail: "must not be before from-date" }]);
  }
  return period;
}

/**
 * The condition that rows were recorded in a period. The bounds of the ids let an index pass by what lies far outside,
 * so that a page of long ago costs what the latest does.
 */
export function recordedIn(
  sql: Sql,
  { from, to }: PeriodInstants,
  { id, at }: { readonly id: string; readonly at: string },
) {
  const since =
    from === null ? sql`true` : sql`${sql(at)} >= ${from} and ${sql(id)} > ${idBelow(from.getTime() - SLACK_MS)}`;
  return to === null
    ? since
    : sql`${since} and ${sql(at)} < ${to} and ${sql(id)} < ${idBelow(to.getTime() + SLACK_MS)}`;
}
