import { afterEach, describe, expect, it, vi } from "vitest";
import { ConcurrencyLimiter, type ConcurrencyLimits } from "./concurrency-limiter.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** A limiter whose work ends when the test says so. */
function aLimiter(limits: Partial<ConcurrencyLimits> = {}) {
  const clock = { ms: 0 };
  const limiter = new ConcurrencyLimiter({ places: 6, now: () => clock.ms, ...limits });
  const running: { readonly name: string; readonly end: () => void }[] = [];
  const start = (key: string, name = key, isGone = () => false) =>
    limiter.run(key, isGone, () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      running.push({ name, end: () => resolve(name) });
      return promise;
    });
  const namesRunning = async () => {
    await new Promise((done) => setImmediate(done));
    return running.map(({ name }) => name);
  };
  /** Ends the work that began first; returns the names of the work that runs afterwards. */
  const endFirst = async () => {
    await namesRunning();
    running.shift()?.end();
    return namesRunning();
  };
  return { clock, limiter, start, namesRunning, endFirst };
}

describe("a concurrency limiter", () => {
  it("lets a key hold as many places as it leaves free, so that the next finds some", async () => {
    const { start, namesRunning } = aLimiter();
    for (const key of ["a", "a", "a", "a", "a", "b", "b", "b", "c", "c"]) void start(key);
    expect(await namesRunning()).toEqual(["a", "a", "a", "b", "b", "c"]);
  });

  it("answers what the work answers, and gives the place back however it ends", async () => {
    const { limiter } = aLimiter({ places: 2 });
    const here = () => false;
    for (let number = 0; number < 3; number += 1) {
      await expect(limiter.run("a", here, async () => number)).resolves.toBe(number);
      await expect(limiter.run("a", here, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
    }
  });

  it("serves each key in its own order, and keys by turns", async () => {
    const { start, namesRunning, endFirst } = aLimiter({ places: 1 });
    for (const name of ["a1", "a2", "a3", "a4", "b1", "c1", "b2"]) void start(name.charAt(0), name);
    const order: string[] = [];
    for (let names = await namesRunning(); names.length > 0; names = await endFirst()) order.push(...names);
    expect(order).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
  });

  it("gives every place to who waits as others end", async () => {
    const { start, endFirst } = aLimiter();
    for (const key of ["a", "a", "a", "b", "b", "c", "d", "d", "e"]) void start(key);
    expect(await endFirst()).toEqual(["a", "a", "b", "b", "c", "d"]);
    expect(await endFirst()).toEqual(["a", "b", "b", "c", "d", "e"]);
    expect(await endFirst()).toEqual(["b", "b", "c", "d", "e"]);
    expect(await endFirst()).toEqual(["b", "c", "d", "e", "d"]);
  });

  it("drops what waits when its caller is gone, at no cost to who is next", async () => {
    const { start, endFirst } = aLimiter({ places: 1 });
    void start("a", "first");
    const gone = [1, 2, 3].map((number) => start("a", `gone ${number}`, () => true));
    const ends = Promise.allSettled(gone);
    void start("a", "second");
    expect(await endFirst()).toEqual(["second"]);
    for (const end of await ends) expect(end).toMatchObject({ reason: { code: "too_many_requests" } });
  });

  it("refuses with 429 what finds too much of its key waiting, and others wait on", async () => {
    const { start, endFirst } = aLimiter({ places: 1, waitingOfKeyLimit: 2 });
    for (const name of ["first", "second", "third"]) void start("a", name);
    await expect(start("a", "fourth")).rejects.toMatchObject({ status: 429, retryAfter: 1 });
    void start("b", "other");
    await endFirst();
    expect(await endFirst()).toEqual(["other"]);
  });

  it("refuses with 503 what waited too long, and then serves who comes", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { clock, start, endFirst } = aLimiter({ places: 1 });
    void start("a", "first");
    const late = expect(start("a", "late")).rejects.toMatchObject({ status: 503, retryAfter: 2 });
    clock.ms = 1_500;
    void start("a", "later");
    clock.ms = 2_001;
    vi.advanceTimersByTime(100);
    await late;
    expect(await endFirst()).toEqual(["later"]);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(100);
    expect(vi.getTimerCount()).toBe(0);
  });
});
