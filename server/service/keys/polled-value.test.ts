import { describe, expect, it } from "vitest";
import { aClock } from "../../../test/support/token-fixture.ts";
import { pollValue } from "./polled-value.ts";

/** A source that counts its reads, and fails while `failing` is set. */
async function aPolledCounter() {
  const clock = aClock();
  const source = { readings: 0, failing: false };
  const load = async () => {
    source.readings += 1;
    await Promise.resolve();
    if (source.failing) throw new Error("the source is away");
    return source.readings;
  };
  const polled = await pollValue({ load, clock, dueMs: 30_000, maxAgeMs: 60_000, retryMs: 5_000 });
  return { clock, source, polled };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("a polled value", () => {
  it("is read once however often it is used while it is fresh", async () => {
    const { clock, source, polled } = await aPolledCounter();
    clock.advance(29);
    for (let use = 0; use < 1000; use += 1) await polled.get();
    expect(source.readings).toBe(1);
  });

  it("is reloaded behind the one who uses it when due, once for all who do", async () => {
    const { clock, source, polled } = await aPolledCounter();
    clock.advance(31);
    expect(await Promise.all([polled.get(), polled.get(), polled.get()])).toEqual([1, 1, 1]);
    await settled();
    expect(polled.peek()).toBe(2);
    expect(source.readings).toBe(2);
  });

  it("is never given out past its age: whoever uses it waits, and hears when the source is away", async () => {
    const { clock, source, polled } = await aPolledCounter();
    clock.advance(60);
    expect(await Promise.all([polled.get(), polled.get()])).toEqual([2, 2]);
    clock.advance(60);
    source.failing = true;
    await expect(polled.get()).rejects.toThrow("the source is away");
    source.failing = false;
    expect(await polled.get()).toBe(4);
  });

  it("outlives a source that is away for less than its age, without storming it", async () => {
    const { clock, source, polled } = await aPolledCounter();
    source.failing = true;
    clock.advance(31);
    for (let use = 0; use < 100; use += 1) {
      expect(await polled.get()).toBe(1);
      await settled();
    }
    expect(source.readings).toBe(2);
    clock.advance(6);
    await polled.get();
    expect(source.readings).toBe(3);
  });

  it("is renewed on demand, but not more often than agreed", async () => {
    const { clock, source, polled } = await aPolledCounter();
    expect(await polled.renew()).toBe(1);
    clock.advance(5);
    expect(await Promise.all([polled.renew(), polled.renew()])).toEqual([2, 2]);
    expect(await polled.renew()).toBe(2);
    expect(source.readings).toBe(2);
  });

  it("is read anew when the clock was set back, because its age is unknown then", async () => {
    const { clock, polled } = await aPolledCounter();
    clock.advance(-3600);
    expect(await polled.get()).toBe(2);
    expect(await polled.get()).toBe(2);
  });
});
