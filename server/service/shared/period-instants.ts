import type { BusinessTime } from "../../../src/business-time.ts";

/** The bounds of a period as a query names them. */
export interface PeriodQuery {
  readonly "from-date"?: string | undefined;
  readonly "to-date"?: string | undefined;
}

/** The bounds of a period: `from` is in it, `to` no longer; null where the query leaves that end open. */
export interface PeriodInstants {
  readonly from: Date | null;
  readonly to: Date | null;
}

/** Reads a period (interface: Periods): date-times are half-open; a bare day ends a period with its last instant. */
export function periodInstants(time: BusinessTime, query: PeriodQuery): PeriodInstants {
  const { "from-date": from, "to-date": to } = query;
  const isBareDay = to?.length === 10;
  return {
    from: from === undefined ? null : time.parse(from),
    to: to === undefined ? null : isBareDay ? time.startOf(time.addDays(to, 1)) : time.parse(to),
  };
}
