import type { BusinessTime } from "../../../src/business-time.ts";
import type { Sql } from "../../database/connect.ts";
import { idUpperBound } from "./id-below.ts";
import { withoutSelectivity } from "./index-scan.ts";
import { type PeriodInstants, type PeriodQuery, periodInstants } from "./period-instants.ts";
import { refuseFaults } from "./service-context.ts";

/** The most by which an id's time differs from that of recording: a clock may have been set back. */
export const SLACK_MS = 24 * 60 * 60 * 1000;

/**
 * Reads the period of a list from its query. An omitted end is open, and no period is too long: a list goes page by
 * page, and an app shows all that there is. Throws `invalid_request` where it ends before it begins.
 */
export function readListPeriod(time: BusinessTime, query: PeriodQuery): PeriodInstants {
  const period = periodInstants(time, query);
  const { from, to } = period;
  if (from !== null && to !== null && to < from) {
    refuseFaults([{ parameter: "to-date", detail: "must not be before from-date" }]);
  }
  return period;
}

/** The columns that say when a row was recorded: `at`, and every joined column that holds the id of that time. */
interface RecordingColumns {
  readonly at: string;
  readonly ids: readonly string[];
}

/**
 * Builds the SQL condition that rows were recorded in a period. The bounds of the ids let indexes skip rows far
 * outside, so that an old page costs as much as the latest.
 */
export function recordedIn(sql: Sql, { from, to }: PeriodInstants, { at, ids }: RecordingColumns) {
  const conditions = [
    ...(from === null ? [] : [withoutSelectivity(sql, sql`${sql(at)} >= ${from}`)]),
    ...(to === null ? [] : [withoutSelectivity(sql, sql`${sql(at)} < ${to}`)]),
    ...ids.flatMap((id) => [
      ...(from === null ? [] : [sql`${sql(id)} > ${idUpperBound(from.getTime() - SLACK_MS)}`]),
      ...(to === null ? [] : [sql`${sql(id)} < ${idUpperBound(to.getTime() + SLACK_MS)}`]),
    ]),
  ];
  return conditions.reduce((left, right) => sql`${left} and ${right}`, sql`true`);
}
