import { describe, expect, it } from "vitest";
import { CommitDurationEstimate, type TimedCommit } from "./commit-duration.ts";

const LONGEST_MS = 2_000;

function paceOf(...commits: readonly (readonly [size: number, ms: number])[]): CommitDurationEstimate {
  const pace = new CommitDurationEstimate(LONGEST_MS);
  let at = 0;
  for (const [size, ms] of commits) {
    const commit = pace.begin(size, at);
    at += ms;
    pace.end(commit, at);
  }
  return pace;
}

describe("the pace of commits", () => {
  it("is not known before the first", () => {
    expect([
      new CommitDurationEstimate(LONGEST_MS).msOf(500),
      new CommitDurationEstimate(LONGEST_MS).leftMs(5),
    ]).toEqual([0, 0]);
  });

  it("has a part that each commit takes, and a part for its size", () => {
    const pace = paceOf([1, 3.2], [500, 103], [100, 23], [1, 3.2], [250, 53]);
    expect(pace.msOf(500)).toBeCloseTo(103, 0);
    expect(pace.msOf(0)).toBeCloseTo(3, 0);
  });

  it("makes nothing of the size where all were alike, so that small ones do not make a large one slow", () => {
    const pace = paceOf(...Array.from({ length: 20 }, () => [1, 4] as const));
    expect(pace.msOf(500)).toBeCloseTo(4);
  });

  it("follows the latest commits", () => {
    const slow = Array.from({ length: 20 }, () => [500, 1_000] as const);
    const fast = Array.from({ length: 40 }, () => [500, 100] as const);
    expect(paceOf(...slow, ...fast).msOf(500)).toBeLessThan(130);
  });

  it("is not ruined by one that hung", () => {
    const usual = Array.from({ length: 20 }, () => [500, 100] as const);
    expect(paceOf(...usual, [500, 30_000]).msOf(500)).toBeLessThan(400);
  });

  it("tells how long the present one still takes, and of one that is overdue as long as it has taken", () => {
    const pace = paceOf([500, 100], [500, 100]);
    const commit = pace.begin(500, 1_000);
    expect([pace.leftMs(1_000), pace.leftMs(1_070), pace.leftMs(1_900)]).toEqual([100, 30, 900]);
    pace.end(commit, 1_900);
    expect(pace.leftMs(1_950)).toBe(0);
  });

  it("counts those that are under way together one after another", () => {
    const pace = paceOf([500, 100], [500, 100]);
    const [first, second] = [1_000, 1_010, 1_020].map((at) => pace.begin(500, at)) as [TimedCommit, TimedCommit];
    expect(pace.leftMs(1_040)).toBe(60 + 100 + 100);
    pace.end(first, 1_100);
    expect(pace.leftMs(1_120)).toBe(80 + 100);
    pace.end(second, 1_200);
    expect(pace.msOf(500)).toBeCloseTo(100);
  });

  it("tells that one is late, which may hang", () => {
    const pace = paceOf([500, 100], [500, 100]);
    expect(pace.isLate(5_000)).toBe(false);
    pace.begin(500, 1_000);
    expect([pace.isLate(1_200), pace.isLate(1_211)]).toEqual([false, true]);
  });
});
