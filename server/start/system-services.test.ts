import { expect, it } from "vitest";
import { httpThreadsOf } from "./system-services.ts";

it.each([
  [1, 0, 0],
  [2, 0, 1],
  [3, 1, 1],
  [4, 2, 2],
  [6, 4, 4],
  [64, 4, 4],
])("leaves of %i processors %i to HTTP beside a broker, %i apart from it", (cores, beside, apart) => {
  expect(httpThreadsOf({ httpThreads: undefined }, "all", { cores, platform: "linux" })).toBe(beside);
  expect(httpThreadsOf({ httpThreads: undefined }, "service", { cores, platform: "linux" })).toBe(apart);
  expect(httpThreadsOf({ httpThreads: undefined }, "service", { cores, platform: "darwin" })).toBe(0);
});

it("takes the number that is configured, and says where threads cannot share a port", () => {
  expect(httpThreadsOf({ httpThreads: 7 }, "all", { cores: 2, platform: "linux" })).toBe(7);
  expect(httpThreadsOf({ httpThreads: 0 }, "service", { cores: 2, platform: "linux" })).toBe(0);
  expect(httpThreadsOf({ httpThreads: 0 }, "all", { cores: 8, platform: "darwin" })).toBe(0);
  expect(() => httpThreadsOf({ httpThreads: 1 }, "all", { cores: 8, platform: "win32" })).toThrow(
    "CUPO_HTTP_THREADS must be 0",
  );
});
