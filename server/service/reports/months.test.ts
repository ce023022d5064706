import { expect, it } from "vitest";
import { lastDayOf, monthsBetween, nextMonth } from "./months.ts";

it("goes from month to month, over years and leap days", () => {
  expect(["2026-01", "2026-02", "2026-11", "2026-12"].map(nextMonth)).toEqual([
    "2026-02",
    "2026-03",
    "2026-12",
    "2027-01",
  ]);
  expect(["2026-02", "2028-02", "2026-04", "2026-12"].map(lastDayOf)).toEqual([
    "2026-02-28",
    "2028-02-29",
    "2026-04-30",
    "2026-12-31",
  ]);
  expect(monthsBetween("2026-11", "2027-02")).toEqual(["2026-11", "2026-12", "2027-01", "2027-02"]);
  expect([monthsBetween("2026-11", "2026-11"), monthsBetween("2026-11", "2026-10")]).toEqual([["2026-11"], []]);
});
