import { expect, it } from "vitest";
import { httpThreadsOf } from "./system-services.ts";

it.each([
  [1, 0],
  [2, 0],
  [3, 1],
  [4, 2],
  [6, 4],
  [64, 4],
])("leaves of %i processors %i to HTTP", (cores, threads) => {
  expect(httpThreadsOf({ httpThreads: undefined }, { cores, platform: "linux" })).toBe(threads);
  expect(httpThreadsOf({ httpThreads: undefined }, { cores, platform: "darwin" })).toBe(0);
});

it("takes the number that is configured, and says where threads cannot share a port", () => {
  expect(httpThreadsOf({ httpThreads: 7 }, { cores: 2, platform: "linux" })).toBe(7);
  expect(httpThreadsOf({ httpThreads: 0 }, { cores: 8, platform: "darwin" })).toBe(0);
  expect(() => httpThreadsOf({ httpThreads: 1 }, { cores: 8, platform: "win32" })).toThrow(
    "CUPO_HTTP_THREADS must be 0",
  );
});
