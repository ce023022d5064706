import { describe, expect, it } from "vitest";
import { percentile, spreadOf } from "./statistics.ts";

describe("a spread", () => {
  it("has the value in the middle as its median, whatever the order", () => {
    expect(spreadOf([9, 1, 5])).toEqual({ median: 5, min: 1, max: 9 });
  });

  it("has a median halfway between the two in the middle of an even number", () => {
    expect(spreadOf([4, 1, 2, 10])).toEqual({ median: 3, min: 1, max: 10 });
  });

  it("of one value is that value", () => {
    expect(spreadOf([7])).toEqual({ median: 7, min: 7, max: 7 });
  });
});

describe("a percentile", () => {
  const hundred = Float64Array.from({ length: 100 }, (_, index) => 100 - index);

  it("is the value at its nearest rank", () => {
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 0.99)).toBe(99);
    expect(percentile(hundred, 1)).toBe(100);
  });

  it("of nothing is no number", () => {
    expect(percentile([], 0.5)).toBeNaN();
  });
});
