import { expect, test } from "vitest";
import { dayKey } from "./day-key.ts";

test("a list is grouped by the person's own day", () => {
  expect(dayKey(new Date(2026, 2, 30, 23, 59).toISOString())).toBe("2026-03-30");
  expect(dayKey(new Date(2026, 2, 31, 0, 0).toISOString())).toBe("2026-03-31");
});
