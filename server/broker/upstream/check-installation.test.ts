import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../test/support/silent-log.ts";
import { aStubUpstream, type StubUpstream } from "../../../test/support/stub-upstream.ts";
import type { Upstream } from "../access/policy/upstream-calls.ts";
import { createUpstream } from "./upstream.ts";

const DOCUMENT = "/.well-known/cupo-installation.json";
const COLOMBIA = { currency: "COP", decimals: 2, time_zone: "America/Bogota" };

let stub: StubUpstream;
let upstream: Upstream;

beforeEach(async () => {
  stub = await aStubUpstream();
  const { url, clientId, clientSecret } = stub;
  const installation = { currency: "COP", digits: 2, timeZone: "America/Bogota" };
  upstream = createUpstream({
    upstream: { baseUrl: url, authUrl: url, clientId, clientSecret, timeoutMs: 500, installation },
    now: () => 0,
    random: (length) => new Uint8Array(length),
    wait: async () => undefined,
    log: silentLog,
  });
  stub.on("/create-ledger-transaction", () => ({ status: 409, body: { code: "insufficient_balance" } }));
});
afterEach(() => stub.close());

async function outcome(): Promise<string> {
  const body = { from_user_id: "a", to_user_id: "b", amount: 5 };
  const error: unknown = await upstream.call("createLedgerTransaction", body, "key").catch((thrown) => thrown);
  return String(Reflect.get(Object(error), "code"));
}

function askedPaths(): readonly string[] {
  return stub.seen.map(({ path }) => path);
}

describe("a broker apart", () => {
  it("asks its service once for currency and time zone, before its first call", async () => {
    stub.on(DOCUMENT, () => ({ body: COLOMBIA }));
    expect([await outcome(), await outcome()]).toEqual(["insufficient_balance", "insufficient_balance"]);
    expect(askedPaths()).toEqual([DOCUMENT, "/create-ledger-transaction", "/create-ledger-transaction"]);
  });

  it.each([
    ["another currency", { currency: "JPY", decimals: 0 }],
    ["other decimals", { decimals: 0 }],
    ["another time zone", { time_zone: "Asia/Tokyo" }],
  ])("asks nothing else of a service with %s, and says so in the cause", async (_, changed) => {
    stub.on(DOCUMENT, () => ({ body: { ...COLOMBIA, ...changed } }));
    await expect(upstream.call("users", {})).rejects.toMatchObject({
      code: "upstream_failed",
      cause: { message: expect.stringMatching(/^CUPO_(?:CURRENCY|TIME_ZONE) is .+, or name another service\.$/) },
    });
    expect(await outcome()).toBe("upstream_failed");
    expect(new Set(askedPaths())).toEqual(new Set([DOCUMENT]));
  });

  it("asks again while the service cannot tell", async () => {
    stub.on(DOCUMENT, () => ({ cut: true }));
    expect(await outcome()).toBe("unavailable");
    stub.on(DOCUMENT, () => ({ body: COLOMBIA }));
    expect(await outcome()).toBe("insufficient_balance");
  });

  it("works with a service that does not tell them", async () => {
    expect(await outcome()).toBe("insufficient_balance");
  });
});
