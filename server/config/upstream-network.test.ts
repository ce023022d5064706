import { describe, expect, it } from "vitest";
import { isOpenHttp, resolvesWithin } from "./upstream-network.ts";

describe("plain http to an upstream", () => {
  it.each([
    ["https://api.example", [], false],
    ["http://localhost:4100", [], false],
    ["http://127.0.0.1:4100", [], false],
    ["http://[::1]:4100", [], false],
    ["http://10.0.0.5:4100", [], true],
    ["http://10.0.0.5:4100", ["10.0.0.0/8"], false],
    ["http://192.168.0.5", ["10.0.0.0/8"], true],
    ["http://93.184.215.14", ["10.0.0.0/8"], true],
    ["http://service:4100", [], true],
    ["http://service:4100", ["10.0.0.0/8"], false],
  ] as const)("%s, with %j allowed, is open: %s", (address, allowed, isOpen) => {
    expect(isOpenHttp(address, allowed)).toBe(isOpen);
  });

  it("by a name is judged by what it resolves to", async () => {
    const finds = (address: string) => async () => [{ address, family: 4 }];
    expect(await resolvesWithin("http://service:4100", ["10.0.0.0/8"], finds("10.0.0.5"))).toBe(true);
    expect(await resolvesWithin("http://service:4100", ["10.0.0.0/8"], finds("93.184.215.14"))).toBe(false);
    expect(await resolvesWithin("https://service:4100", [], finds("93.184.215.14"))).toBe(true);
    expect(await resolvesWithin("http://localhost:4100", [], finds("93.184.215.14"))).toBe(true);
  });
});
