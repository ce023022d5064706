import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { silentLog } from "../../test/support/silent-log.ts";
import { keepRegistered, localBrokerUrl, publicUrl } from "./broker-webhook.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;

describe("the broker's address for the service", () => {
  it.each([
    ["127.0.0.1", "http://127.0.0.1:4000/v1/upstream-events"],
    ["0.0.0.0", "http://127.0.0.1:4000/v1/upstream-events"],
    ["::", "http://[::1]:4000/v1/upstream-events"],
    ["fd00::7", "http://[fd00::7]:4000/v1/upstream-events"],
    ["pay.internal", "http://pay.internal:4000/v1/upstream-events"],
  ])("beside it is on this machine: listening on %s", (host, url) => {
    expect(localBrokerUrl({ host, port: 4000 })).toBe(url);
  });

  it("elsewhere is the public origin, and none that is not https", () => {
    expect(publicUrl({ publicOrigin: "https://pay.example" })).toBe("https://pay.example/v1/upstream-events");
    expect(publicUrl({ publicOrigin: "http://localhost:4000" })).toBeUndefined();
  });
});

describe("the registration", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Keeps registered at a service that first refuses so many times; records when it was asked, in seconds. */
  function keep(refusals: number) {
    const start = Date.now();
    const asked: number[] = [];
    const warnings: string[] = [];
    const registerWebhook = async (url: string): Promise<void> => {
      expect(url).toBe("http://127.0.0.1:4000/v1/upstream-events");
      asked.push(Math.round((Date.now() - start) / SECOND_MS));
      if (asked.length <= refusals) throw new Error("not now");
    };
    const log = { ...silentLog, warn: (_fields: object, message: string) => void warnings.push(message) };
    const url = localBrokerUrl({ host: "127.0.0.1", port: 4000 });
    const repeating = keepRegistered({ registerWebhook }, url, { now: () => Date.now(), log });
    return { asked, warnings, repeating };
  }

  it("is made at once, and made sure of every hour", async () => {
    const { asked, warnings, repeating } = keep(0);
    await vi.advanceTimersByTimeAsync(2.5 * HOUR_MS);
    expect([asked, warnings]).toEqual([[0, 3_600, 7_200], []]);
    await repeating.stop();
    await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
    expect(asked).toHaveLength(3);
  });

  it("that fails is tried again soon, then ever more seldom, and every failure is logged", async () => {
    const { asked, warnings, repeating } = keep(4);
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect(asked).toEqual([0, 10, 30, 70, 150]);
    expect(warnings).toHaveLength(4);
    await repeating.stop();
  });

  it("that is never granted is asked for once an hour in the end", async () => {
    const { asked, repeating } = keep(1_000);
    await vi.advanceTimersByTimeAsync(24 * HOUR_MS);
    expect(asked.length).toBeLessThan(36);
    expect((asked.at(-1) ?? 0) - (asked.at(-2) ?? 0)).toBe(3_600);
    await repeating.stop();
  });
});
