import { describe, expect, it } from "vitest";
import { addressKey, clientAddress, isDirectLoopback, parseTrustedProxies } from "./client-address.ts";

const trusted = parseTrustedProxies(["10.0.0.0/8", "2001:db8::1"]);

describe("the client's address", () => {
  const cases: readonly (readonly [string, string, string | undefined, string])[] = [
    ["an untrusted peer is never believed", "203.0.113.1", "198.51.100.1", "203.0.113.1"],
    ["a trusted peer is", "10.1.2.3", "198.51.100.1", "198.51.100.1"],
    ["right to left past trusted ones", "10.1.2.3", "6.6.6.6, 198.51.100.1, 10.9.9.9", "198.51.100.1"],
    ["an IPv4 peer on an IPv6 socket is the same", "::ffff:10.1.2.3", "198.51.100.1", "198.51.100.1"],
    ["ports and brackets are left out", "2001:db8::1", "[2001:db8::2]:443, 10.0.0.1:8080", "2001:db8::2"],
    ["garbage ends the chain", "10.1.2.3", "198.51.100.1, unknown", "10.1.2.3"],
    ["without the header it is the proxy", "10.1.2.3", undefined, "10.1.2.3"],
  ];
  for (const [law, peer, forwarded, expected] of cases) {
    it(law, () => {
      const headers = new Headers(forwarded === undefined ? {} : { "x-forwarded-for": forwarded });
      expect(clientAddress(peer, headers, trusted)).toBe(expected);
    });
  }

  it("a wrong entry of the list is named", () => {
    for (const entry of ["10.0.0.0/33", "proxy", "10.0.0.0/8/8", "10.0.0.1/", ""]) {
      expect(() => parseTrustedProxies(["10.0.0.1", entry])).toThrow(`"${entry}" is neither`);
    }
  });

  it("an IPv6 network of one customer counts as one", () => {
    expect(addressKey("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
    expect(addressKey("2001:db8:1:2::9%eth0")).toBe("2001:db8:1:2::/64");
    expect(addressKey("2001:db8::9")).toBe("2001:db8:0:0::/64");
    expect(addressKey("::1")).toBe("0:0:0:0::/64");
    expect(addressKey("192.0.2.1")).toBe("192.0.2.1");
  });
});

describe("somebody on this machine", () => {
  const ask = (peer: string, headers: Record<string, string>, httpVersion = "1.1") =>
    isDirectLoopback({ peer, headers: new Headers(headers), port: 4000, httpVersion });

  it("asks from a loopback address for one of its names and our port", () => {
    expect(ask("127.0.0.1", { host: "localhost:4000" })).toBe(true);
    expect(ask("::ffff:127.0.0.1", { host: "127.0.0.1:4000" })).toBe(true);
    expect(ask("::1", { host: "[::1]:4000" })).toBe(true);
  });

  it("is nobody from elsewhere, by another name or port, or behind a proxy", () => {
    expect(ask("192.0.2.1", { host: "localhost:4000" })).toBe(false);
    expect(ask("unknown", { host: "localhost:4000" })).toBe(false);
    expect(ask("127.0.0.1", { host: "evil.example:4000" })).toBe(false);
    expect(ask("127.0.0.1", { host: "localhost:4001" })).toBe(false);
    expect(ask("127.0.0.1", { host: "localhost" })).toBe(false);
    expect(ask("127.0.0.1", {})).toBe(false);
    for (const name of ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "X-Forwarded-Proto", "X-Real-IP"]) {
      expect(ask("127.0.0.1", { host: "localhost:4000", [name]: "x" })).toBe(false);
    }
    for (const name of [
      "CF-Connecting-IP",
      "CDN-Loop",
      "True-Client-IP",
      "X-Client-IP",
      "Fly-Client-IP",
      "Client-IP",
    ]) {
      expect(ask("127.0.0.1", { host: "localhost:4000", [name]: "x" })).toBe(false);
    }
    expect(ask("127.0.0.1", { host: "127.0.0.1:4000" }, "1.0")).toBe(false);
  });
});
