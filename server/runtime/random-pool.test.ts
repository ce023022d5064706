import { describe, expect, it } from "vitest";
import { randomPool } from "./random-pool.ts";

/** Counts 1, 2, 3 … 255, 1 …, and remembers how often it was asked. */
function aSource() {
  const asked: number[] = [];
  let last = 0;
  const random = (length: number): Uint8Array => {
    asked.push(length);
    return Uint8Array.from({ length }, () => {
      last = (last % 255) + 1;
      return last;
    });
  };
  return { asked, random };
}

describe("a random pool", () => {
  it("gives every byte of its source once, in order", () => {
    const pool = randomPool(aSource().random);
    const bytes = Array.from({ length: 300 }, (_, index) => [...pool(index % 20)]).flat();
    expect(bytes).toEqual([...aSource().random(bytes.length)]);
  });

  it("asks its source seldom", () => {
    const { asked, random } = aSource();
    const pool = randomPool(random);
    for (let index = 0; index < 1000; index += 1) expect(pool(12)).toHaveLength(12);
    expect(asked.length).toBeLessThan(5);
  });

  it("gives bytes that nothing changes later", () => {
    const pool = randomPool(aSource().random);
    const first = pool(8);
    const copy = [...first];
    for (let index = 0; index < 2000; index += 1) pool(8);
    expect([...first]).toEqual(copy);
  });

  it("leaves large amounts to its source", () => {
    const { asked, random } = aSource();
    expect(randomPool(random)(5000)).toHaveLength(5000);
    expect(asked).toEqual([5000]);
  });
});
