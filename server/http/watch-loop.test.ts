import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { watchLoop } from "./watch-loop.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("says that the loop is late while timers wait and when they ran late, and not once they run on time again", () => {
  let at = 0;
  const watch = watchLoop(() => at);
  const pass = (ms: number): void => {
    at += ms;
    vi.advanceTimersByTime(1_000);
  };
  pass(1_000);
  pass(1_900);
  expect(watch.isLate()).toBe(false);
  at += 2_001;
  expect(watch.isLate()).toBe(true);
  pass(0);
  expect(watch.isLate()).toBe(true);
  pass(1_000);
  expect(watch.isLate()).toBe(false);
  watch.stop();
  expect(vi.getTimerCount()).toBe(0);
});
