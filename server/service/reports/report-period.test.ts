import { describe, expect, it } from "vitest";
import { businessTime } from "../../../src/business-time.ts";
import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { PeriodQuery } from "../shared/period-instants.ts";
import { dayCount, readReportPeriod, refuseLongPeriod } from "./report-period.ts";

const NOW = new Date("2026-03-17T20:30:00Z");
const time = businessTime("America/Bogota");

const periodOf = (query: PeriodQuery) => readReportPeriod({ time, clock: () => NOW }, query);

function told(query: PeriodQuery): string[] {
  const { firstDay, lastDay, from, to } = periodOf(query);
  return [firstDay, lastDay, from.toISOString(), to.toISOString()];
}

function faultOf(query: PeriodQuery): unknown {
  try {
    return periodOf(query);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [error.code, error.faults];
  }
}

describe("the period of a report", () => {
  it.each<[string, PeriodQuery, string[]]>([
    [
      "by default from the first of this month until now",
      {},
      ["2026-03-01", "2026-03-17", "2026-03-01T05", "2026-03-17T20:30"],
    ],
    ["until now", { "from-date": "2026-02-10" }, ["2026-02-10", "2026-03-17", "2026-02-10T05", "2026-03-17T20:30"]],
    [
      "from the first of the month in which it ends",
      { "to-date": "2026-01-09" },
      ["2026-01-01", "2026-01-09", "2026-01-01T05", "2026-01-10T05"],
    ],
    [
      "one day that is named twice",
      { "from-date": "2026-01-09", "to-date": "2026-01-09" },
      ["2026-01-09", "2026-01-09", "2026-01-09T05", "2026-01-10T05"],
    ],
    [
      "widened to whole days",
      { "from-date": "2026-01-09T23:59:00", "to-date": "2026-01-11T00:00:01" },
      ["2026-01-09", "2026-01-11", "2026-01-09T05", "2026-01-12T05"],
    ],
    [
      "without the day at whose first instant it ends",
      { "from-date": "2026-01-09", "to-date": "2026-01-11T00:00:00" },
      ["2026-01-09", "2026-01-10", "2026-01-09T05", "2026-01-11T05"],
    ],
    [
      "by the offset that is sent",
      { "from-date": "2026-01-09T02:00:00Z", "to-date": "2026-01-10T02:00:00Z" },
      ["2026-01-08", "2026-01-09", "2026-01-08T05", "2026-01-10T05"],
    ],
    [
      "until now where it would end later",
      { "from-date": "2026-03-01", "to-date": "2999-12-31" },
      ["2026-03-01", "2026-03-17", "2026-03-01T05", "2026-03-17T20:30"],
    ],
  ])("is %s", (_, query, expected) => {
    for (const [index, text] of told(query).entries()) expect(text.startsWith(expected[index] ?? "-")).toBe(true);
  });

  it("begins before it ends, and not in the future", () => {
    const backwards = { "from-date": "2026-03-05", "to-date": "2026-03-04" };
    expect(faultOf(backwards)).toEqual([
      "invalid_request",
      [{ parameter: "from-date", detail: "must be before to-date" }],
    ]);
    expect(faultOf({ ...backwards, "from-date": "2026-03-05T00:00:00" })).toMatchObject(["invalid_request", {}]);
    const future = [{ parameter: "from-date", detail: "must not be in the future" }];
    expect(faultOf({ "from-date": "2026-03-18" })).toEqual(["invalid_request", future]);
  });

  it("has at most 400 days", () => {
    const most = periodOf({ "from-date": "2025-02-11" });
    expect(dayCount(most)).toBe(400);
    expect(() => refuseLongPeriod(most)).not.toThrow();
    expect(() => refuseLongPeriod(periodOf({ "from-date": "2025-02-10" }))).toThrow(ApiError);
  });
});
