import { describe, expect, it } from "vitest";
import { isPermittedTarget } from "./is-permitted-target.ts";
import { createWebhookNetwork } from "./webhook-network.ts";

const finds =
  (...addresses: readonly string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

describe("a target of messages", () => {
  it.each([
    ["https://push.example/send", ["93.184.215.14"], true],
    ["https://push.example/send", ["10.0.0.7"], false],
    ["https://push.example/send", ["93.184.215.14", "127.0.0.1"], false],
    ["https://push.example/send", ["::ffff:192.168.1.1"], false],
    ["https://push.example/send", [], false],
    ["http://push.example/send", ["93.184.215.14"], false],
    ["https://169.254.169.254/latest", [], false],
    ["https://[::1]/send", [], false],
    ["https://localhost/send", ["127.0.0.1"], false],
    ["https://93.184.215.14/send", ["93.184.215.14"], true],
    ["no address", [], false],
  ] as const)("%s that resolves to %j: %s", async (url, addresses, permitted) => {
    expect(await isPermittedTarget(url, createWebhookNetwork({ find: finds(...addresses) }))).toBe(permitted);
  });

  it("whose name nobody knows is none, and one that cannot be asked for is not known", async () => {
    const fails = (code: string) =>
      createWebhookNetwork({ find: () => Promise.reject(Object.assign(new Error(code), { code })) });
    expect(await isPermittedTarget("https://push.example", fails("ENOTFOUND"))).toBe(false);
    await expect(isPermittedTarget("https://push.example", fails("ETIMEOUT"))).rejects.toThrow("ETIMEOUT");
  });
});
