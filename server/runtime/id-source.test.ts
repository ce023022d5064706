import { randomBytes } from "node:crypto";
import { validate, version } from "uuid";
import { describe, expect, it } from "vitest";
import { idSource } from "./id-source.ts";

const random = (length: number): Uint8Array => randomBytes(length);
const NOW_MS = Date.UTC(2026, 2, 31);

describe("an id", () => {
  it("is a UUID of version 7 that begins with its milliseconds", () => {
    const id = idSource({ nowMs: () => NOW_MS, random })();
    expect(validate(id)).toBe(true);
    expect(version(id)).toBe(7);
    expect(Number.parseInt(id.replace("-", "").slice(0, 12), 16)).toBe(NOW_MS);
  });

  it("is greater than the one before, within a millisecond and after it", () => {
    let calls = 0;
    const newId = idSource({ nowMs: () => NOW_MS + Math.floor(++calls / 100), random });
    const ids = Array.from({ length: 20_000 }, newId);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("is greater than the one before also when the clock is set back", () => {
    let now = NOW_MS;
    const newId = idSource({ nowMs: () => now, random });
    const before = newId();
    now -= 3_600_000;
    expect(newId() > before).toBe(true);
  });

  it("is greater than the one before also when the counter is full, which borrows from the next millisecond", () => {
    const highest = (length: number): Uint8Array => new Uint8Array(length).fill(255);
    const newId = idSource({ nowMs: () => NOW_MS, random: highest });
    const ids = Array.from({ length: 2 ** 17 + 2 }, newId);
    expect(ids.findIndex((id, index) => id <= (ids[index - 1] ?? ""))).toBe(-1);
    const [first, last] = [ids[0], ids.at(-1)].map((id = "") => Number.parseInt(id.replace("-", "").slice(0, 12), 16));
    expect([first, last]).toEqual([NOW_MS, NOW_MS + 1]);
  });

  it("is not guessed from another: its last 56 bits are random", () => {
    const newId = idSource({ nowMs: () => NOW_MS, random });
    const tails = Array.from({ length: 1000 }, () => newId().slice(-15));
    expect(new Set(tails).size).toBe(tails.length);
  });

  it("is above the newest of before, though the clock is behind it", () => {
    const ahead = idSource({ nowMs: () => NOW_MS + 3 * 86_400_000, random });
    const newest = [ahead(), ahead()].at(-1) ?? "";
    const newId = idSource({ nowMs: () => NOW_MS, random });
    newId.continueAbove(newest);
    const ids = [newId(), newId(), newId()];
    expect([newest, ...ids]).toEqual([newest, ...ids].toSorted());
    expect(new Set([newest, ...ids]).size).toBe(4);
  });
});
