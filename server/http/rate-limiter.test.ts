import { describe, expect, it } from "vitest";
import { createRateLimiter, rateLimiterMemory } from "./rate-limiter.ts";

function limiterAt(quota: number, windowSeconds: number, maxKeys = 10) {
  const clock = { ms: 0 };
  return {
    clock,
    limiter: createRateLimiter({ quota, windowSeconds, memory: rateLimiterMemory(maxKeys), now: () => clock.ms }),
  };
}

describe("a rate limiter", () => {
  it("allows the quota at once, then one for each share of the window that passed", () => {
    const { clock, limiter } = limiterAt(3, 30);
    expect([1, 2, 3, 4].map(() => limiter.take("a").allowed)).toEqual([true, true, true, false]);
    expect(limiter.take("a")).toMatchObject({ remaining: 0, retryAfter: 10, resetSeconds: 30 });
    clock.ms = 9_999;
    expect(limiter.take("a").allowed).toBe(false);
    clock.ms = 10_000;
    expect(limiter.take("a").allowed).toBe(true);
    expect(limiter.take("a").allowed).toBe(false);
  });

  it("never holds more than the quota, however long nobody asks, and survives a clock that goes back", () => {
    const { clock, limiter } = limiterAt(2, 1);
    clock.ms = 1_000_000;
    expect([1, 2, 3].map(() => limiter.take("a").allowed)).toEqual([true, true, false]);
    clock.ms = 0;
    expect(limiter.take("a").allowed).toBe(false);
  });

  it("keeps keys apart, and peeking takes nothing", () => {
    const { limiter } = limiterAt(1, 60);
    expect(limiter.peek("a").allowed).toBe(true);
    expect(limiter.take("a").allowed).toBe(true);
    expect(limiter.peek("a")).toMatchObject({ allowed: false, retryAfter: 60 });
    expect(limiter.take("b").allowed).toBe(true);
  });

  it("charges what is not there too, and refuses until it is made up for", () => {
    const { clock, limiter } = limiterAt(2, 2);
    limiter.charge("a", 5);
    expect(limiter.peek("a")).toMatchObject({ allowed: false, remaining: 0, retryAfter: 4 });
    clock.ms = 3_999;
    expect(limiter.take("a").allowed).toBe(false);
    clock.ms = 4_000;
    expect(limiter.take("a").allowed).toBe(true);
  });

  it("counts as one with others on the same memory", () => {
    const memory = rateLimiterMemory();
    const [one, other] = [0, 1].map(() => createRateLimiter({ quota: 3, windowSeconds: 60, memory, now: () => 0 }));
    const taken = [one, other, other, one].map((limiter) => limiter?.take("a"));
    expect(taken.map((verdict) => verdict?.allowed)).toEqual([true, true, true, false]);
    expect(taken.map((verdict) => verdict?.remaining)).toEqual([2, 1, 0, 0]);
  });

  it("forgets the key that was unused for longest when it holds too many", () => {
    const { limiter } = limiterAt(1, 60, 2);
    for (const key of ["a", "b", "a", "c"]) limiter.take(key);
    expect(["a", "b", "c"].map((key) => limiter.peek(key).allowed)).toEqual([false, true, false]);
  });
});
