import { describe, expect, it } from "vitest";
import { createShortCache } from "./short-cache.ts";

function aCache({ maxKeys = 2, renewMs = 1_000 } = {}) {
  let at = 0;
  const loads: string[] = [];
  const cache = createShortCache<string>({ now: () => at, lifeMs: 1_000, renewMs, maxKeys });
  const get = (key: string, load = async () => `${key} ${loads.length}`) =>
    cache.get(key, () => {
      loads.push(key);
      return load();
    });
  const wait = (ms: number) => {
    at += ms;
  };
  return { cache, get, loads, wait };
}

it("A look is shared by all who ask while it is made and for its life, and no longer", async () => {
  const { get, loads, wait } = aCache();
  const values = await Promise.all([get("a"), get("a")]);
  wait(999);
  expect([...values, await get("a")]).toEqual([0, 0, 999].map((ageMs) => ({ value: "a 1", ageMs })));
  wait(1);
  expect(await get("a")).toEqual({ value: "a 2", ageMs: 0 });
  expect(loads).toEqual(["a", "a"]);
});

it("No key is told what was loaded for another, and the oldest makes room for one too many", async () => {
  const { get, loads } = aCache();
  for (const key of ["a", "b", "c", "b", "c", "a"]) expect((await get(key)).value).toMatch(new RegExp(`^${key} `));
  expect(loads).toEqual(["a", "b", "c", "a"]);
});

it("A look that failed is told to all who waited for it, and to nobody after them", async () => {
  const { get } = aCache();
  const fail = async () => Promise.reject(new Error("away"));
  const failed = await Promise.allSettled([get("a", fail), get("a", fail)]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect((await get("a")).value).toBe("a 2");
});

it("What is forgotten while it is loaded is loaded again for who asks later", async () => {
  const { cache, get } = aCache();
  const first = get("a");
  cache.forget("a");
  expect([(await first).value, (await get("a")).value]).toEqual(["a 1", "a 2"]);
});

describe("A value in use", () => {
  it("is loaded again before its life is over, once, while all get the one before", async () => {
    const { get, loads, wait } = aCache({ renewMs: 400 });
    const second = Promise.withResolvers<string>();
    await get("a");
    wait(400);
    const values = await Promise.all([get("a", () => second.promise), get("a")]);
    expect([values.map(({ value }) => value), loads]).toEqual([
      ["a 1", "a 1"],
      ["a", "a"],
    ]);
    wait(100);
    second.resolve("later");
    await second.promise;
    expect(await get("a")).toEqual({ value: "later", ageMs: 100 });
    wait(899);
    expect((await get("a")).value).toBe("later");
    expect(loads).toEqual(["a", "a", "a"]);
  });

  it("is told until its life is over where loading it again fails, and the failure only after that", async () => {
    const { get, wait } = aCache({ renewMs: 400 });
    const fail = async () => Promise.reject(new Error("away"));
    await get("a");
    wait(999);
    expect([await get("a", fail), await get("a", fail)]).toMatchObject([{ value: "a 1" }, { value: "a 1" }]);
    wait(1);
    await expect(get("a", fail)).rejects.toThrow("away");
  });

  it("is not put back by a load that began before it was forgotten", async () => {
    const { cache, get, wait } = aCache({ renewMs: 400 });
    const old = Promise.withResolvers<string>();
    await get("a");
    wait(400);
    await get("a", () => old.promise);
    cache.forget("a");
    old.resolve("old");
    await old.promise;
    expect((await get("a")).value).toBe("a 3");
  });
});
