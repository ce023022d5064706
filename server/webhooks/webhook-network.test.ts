import type { LookupAddress } from "node:dns";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import {
  AddressRefusedError,
  createWebhookNetwork,
  guardedLookup,
  literalAddress,
  oneAtATime,
} from "./webhook-network.ts";

const open = createWebhookNetwork({});
const PUBLIC = ["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700:4700::1111", "2a00:1450:4009:81f::200e"];
const SPECIAL = [
  ...["127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "169.254.169.254"],
  ...["100.64.0.1", "100.127.255.255", "0.0.0.0", "224.0.0.1", "239.1.2.3", "255.255.255.255", "192.0.2.1"],
  ...["198.18.0.1", "198.51.100.7", "203.0.113.9", "192.88.99.1", "240.0.0.1"],
  ...["::1", "::", "fe80::1", "fd00::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::7f00:1"],
  ...["64:ff9b::a00:1", "2002:a00:1::", "2001::1", "2001:db8::1", "fec0::1", "fe80::1%eth0", "no address", ""],
];

describe("the network that webhooks may reach", () => {
  it.each(PUBLIC)("has %s, over https alone", (address) => {
    expect([open.permits(address, "https:"), open.permits(address, "http:")]).toEqual([true, false]);
  });

  it.each(SPECIAL)("has not %s", (address) => {
    expect([open.permits(address, "https:"), open.permits(address, "http:")]).toEqual([false, false]);
  });

  it("has what the operator allows, over http too, and nothing beside it", () => {
    const network = createWebhookNetwork({ allowed: ["10.1.0.0/16", "::1", "fd00::/8", "192.168.1.7"] });
    const permitted = ["10.1.2.3", "::ffff:10.1.2.3", "::1", "fd12::1", "192.168.1.7"];
    expect(permitted.filter((address) => !network.permits(address, "http:"))).toEqual([]);
    const others = ["10.2.0.1", "127.0.0.1", "192.168.1.8", "fe80::1"];
    expect(others.filter((address) => network.permits(address, "https:"))).toEqual([]);
    expect(network.permits("8.8.8.8", "http:")).toBe(false);
  });

  it("knows an address however it is written", () => {
    const written = ["https://127.1/", "https://2130706433/", "https://0x7f000001/", "https://0177.0.0.1/"];
    expect(written.map((url) => literalAddress(new URL(url)))).toEqual(Array(4).fill("127.0.0.1"));
    expect(literalAddress(new URL("https://[::1]:8443/"))).toBe("::1");
    expect(literalAddress(new URL("https://10.example/"))).toBeUndefined();
  });
});

type Found = string | LookupAddress[] | undefined;

/** Looks a name up that resolves to these addresses, each time to the next list. */
function resolving(...lists: string[][]) {
  let asked = 0;
  const find = async () =>
    (lists[asked++] ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  const ask = (all: boolean) =>
    new Promise<{ error: Error | null; found: Found }>((resolve) => {
      guardedLookup(createWebhookNetwork({ find }), "https:")("shop.example", { all }, (error, found) =>
        resolve({ error, found }),
      );
    });
  return { ask, times: () => asked };
}

describe("a name is looked up once for a connection, and", () => {
  it("every address that it gives was judged", async () => {
    const { ask, times } = resolving(["8.8.8.8", "1.1.1.1"]);
    expect((await ask(true)).found).toEqual([
      { address: "8.8.8.8", family: 4 },
      { address: "1.1.1.1", family: 4 },
    ]);
    expect(times()).toBe(1);
  });

  it("one private address among public ones refuses it, as does none at all", async () => {
    for (const list of [["8.8.8.8", "127.0.0.1"], ["::1"], ["10.0.0.1", "8.8.8.8"], []]) {
      for (const all of [true, false]) {
        const { error } = await resolving(list).ask(all);
        expect(error).toBeInstanceOf(AddressRefusedError);
      }
    }
  });

  it("a name that answers otherwise the next time is judged again", async () => {
    const { ask } = resolving(["8.8.8.8"], ["127.0.0.1"]);
    expect((await ask(false)).found).toBe("8.8.8.8");
    expect((await ask(false)).error).toBeInstanceOf(AddressRefusedError);
  });

  it("a failure of the name service is told as it is", async () => {
    const find = () => Promise.reject(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }));
    const error = await new Promise((resolve) => {
      guardedLookup(createWebhookNetwork({ find }), "https:")("nowhere.example", {}, (failure) => resolve(failure));
    });
    expect(error).toMatchObject({ code: "ENOTFOUND" });
  });
});

describe("look-ups that take turns", () => {
  /** Names under way, each to be answered. */
  function aSystem() {
    const asked: string[] = [];
    const answers = new Map<string, (found: LookupAddress[]) => void>();
    const find = (name: string) =>
      new Promise<LookupAddress[]>((resolve) => {
        asked.push(name);
        answers.set(name, resolve);
      });
    return { asked, find, answer: (name: string) => answers.get(name)?.([{ address: "10.0.0.1", family: 4 }]) };
  }

  it("ask for one name at a time, also after one that failed", async () => {
    const { asked, find, answer } = aSystem();
    const inTurn = oneAtATime((name) => (name === "wrong" ? Promise.reject(new Error("no such name")) : find(name)));
    const [first, wrong, second] = [inTurn("first"), inTurn("wrong"), inTurn("second")];
    await Promise.resolve();
    expect(asked).toEqual(["first"]);
    answer("first");
    expect(await first).toEqual([{ address: "10.0.0.1", family: 4 }]);
    await expect(wrong).rejects.toThrow("no such name");
    await vi.waitFor(() => expect(asked).toEqual(["first", "second"]));
    answer("second");
    expect(await second).toHaveLength(1);
  });

  it("fail where they waited for too long, and are never asked then", async () => {
    const { asked, find, answer } = aSystem();
    const inTurn = oneAtATime(find, 10);
    const [slow, late] = [inTurn("slow"), inTurn("late")];
    await delay(50);
    answer("slow");
    expect(await slow).toHaveLength(1);
    await expect(late).rejects.toMatchObject({ code: "ETIMEOUT" });
    expect(asked).toEqual(["slow"]);
  });
});
