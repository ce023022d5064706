import { describe, expect, it } from "vitest";
import { nextAttempt, TRIED_FOR_MS } from "./next-attempt.ts";

const START = new Date("2026-03-01T00:00:00Z");
const drawing = (byte: number) => () => Uint8Array.of(byte);

/** Pauses between the attempts of a delivery that nobody ever accepts, when answers come at once. */
function pausesWith(byte: number): number[] {
  const pauses: number[] = [];
  let now = START;
  for (;;) {
    const next = nextAttempt(START, now, drawing(byte));
    if (next === undefined || pauses.length > 1_000) return pauses;
    pauses.push(next.getTime() - now.getTime());
    now = next;
  }
}

describe.each([0, 128, 255])("the pauses of a delivery that nobody accepts, with chance %d", (byte) => {
  it("begin with seconds, grow until they are hours, and end after 72 hours exactly", () => {
    const pauses = pausesWith(byte);
    expect(pauses[0]).toBeGreaterThanOrEqual(3_750);
    expect(pauses[0]).toBeLessThanOrEqual(6_250);
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBe(TRIED_FOR_MS);
    const growing = pauses.slice(1, -1);
    expect(growing.every((pause, index) => pause >= (growing[index - 1] ?? 0))).toBe(true);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(7.5 * 3_600_000);
  });

  it("are few enough to bother nobody, and many enough to find whoever comes back", () => {
    expect(pausesWith(byte).length).toBeGreaterThan(15);
    expect(pausesWith(byte).length).toBeLessThan(50);
  });
});

it("deliveries that failed together are not tried together again", () => {
  const times = [0, 50, 100, 150, 200, 250].map((byte) => nextAttempt(START, START, drawing(byte))?.getTime());
  expect(new Set(times).size).toBe(times.length);
});

it("an attempt that comes late, after an outage of our own, is still followed by none past the 72 hours", () => {
  expect(nextAttempt(START, new Date(START.getTime() + TRIED_FOR_MS + 1), drawing(0))).toBeUndefined();
});
