import { describe, expect, test } from "vitest";
import { businessTime } from "./business-time.ts";

describe("business time", () => {
  const bogota = businessTime("America/Bogota");

  test("a day in Bogota starts at five in the morning UTC", () => {
    expect(bogota.startOf("2026-03-31").toISOString()).toBe("2026-03-31T05:00:00.000Z");
  });

  test("an instant belongs to the local day", () => {
    expect(bogota.dayOf(new Date("2026-04-01T04:59:59.999Z"))).toBe("2026-03-31");
    expect(bogota.dayOf(new Date("2026-04-01T05:00:00.000Z"))).toBe("2026-04-01");
  });

  test.each([
    ["2026-03-31", "2026-03-31T05:00:00.000Z"],
    ["2026-03-31T14:05", "2026-03-31T19:05:00.000Z"],
    ["2026-03-31 14:05:06.5", "2026-03-31T19:05:06.500Z"],
    ["2026-03-31T14:05:00Z", "2026-03-31T14:05:00.000Z"],
    ["2026-03-31t14:05:00z", "2026-03-31T14:05:00.000Z"],
    ["2026-03-31T14:05:00+0200", "2026-03-31T12:05:00.000Z"],
  ])("%s is %s", (text, instant) => {
    expect(bogota.parse(text).toISOString()).toBe(instant);
  });

  test("a day that starts with the clocks going forward starts at its first instant", () => {
    const santiago = businessTime("America/Santiago");
    expect(santiago.startOf("2026-09-06").toISOString()).toBe("2026-09-06T04:00:00.000Z");
    expect(businessTime("Europe/Madrid").startOf("2026-03-29").toISOString()).toBe("2026-03-28T23:00:00.000Z");
  });

  test("days are added across a leap day", () => {
    expect(bogota.addDays("2028-02-28", 2)).toBe("2028-03-01");
    expect(bogota.addDays("2026-01-01", -1)).toBe("2025-12-31");
  });
});
