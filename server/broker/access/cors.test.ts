import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBroker, anOrder, ORIGIN, ownPage, SHOP_ORIGIN, type TestBroker } from "../../../test/support/broker.ts";
import { createRateLimiter } from "../../http/rate-limiter.ts";
import { createBroker } from "../create-broker.ts";

const QUOTA = 5;
const UNLISTED = "https://evil.example";

let broker: TestBroker;
beforeAll(async () => {
  broker = await aBroker();
});
afterAll(() => broker.stop());

type Headers = Readonly<Record<string, string>>;

/** The statuses of requests one after the other, at a broker that lets an address be refused five times. */
async function statusesOf(length: number, path: string, headers: Headers, method = "GET"): Promise<number[]> {
  const address = createRateLimiter({ quota: QUOTA, windowSeconds: 3_600, now: broker.options.now });
  const small = createBroker({ ...broker.options, limits: { address } });
  const statuses: number[] = [];
  for (let count = 0; count < length; count += 1) {
    const request = new Request(`${ORIGIN}${path}`, { method, headers: { host: "localhost:4000", ...headers } });
    statuses.push((await small.app.fetch(request)).status);
  }
  await small.close();
  return statuses;
}

const wrong = { authorization: `Bearer ws_${"a".repeat(43)}` };
const asked = { "access-control-request-method": "GET" };
const pastQuota = (status: number) => [...Array<number>(QUOTA).fill(status), 429, 429];

describe("an address is told to wait when its pages", () => {
  it.each<[string, number, Headers, string?]>([
    ["of another site guess tokens", 403, { ...wrong, origin: UNLISTED }],
    ["of a listed origin guess tokens", 401, { ...wrong, origin: SHOP_ORIGIN }],
    ["of the broker's own origin guess tokens", 401, { ...wrong, origin: ORIGIN }],
    ["in a sandbox guess tokens", 403, { ...wrong, origin: "null" }],
    ["ask for leave from another site", 204, { ...asked, origin: UNLISTED }, "OPTIONS"],
    ["ask for leave again and again", 204, { ...asked, origin: SHOP_ORIGIN }, "OPTIONS"],
  ])("%s", async (_name, status, headers, method) => {
    for (const path of ["/v1/recharges", "/v1/session/stream"]) {
      // A row of the contract and a plain route, which are limited in different places.
      const statuses = await statusesOf(QUOTA + 2, path, headers, method);
      expect(statuses).toEqual(pastQuota(status));
    }
  });

  it("show good sessions to other pages than theirs, and never when they are where they belong", async () => {
    const { session } = await anOrder(broker);
    const headers = { authorization: `Bearer ${session}` };
    expect(await statusesOf(7, "/v1/session", { ...headers, origin: UNLISTED })).toEqual(pastQuota(403));
    const own = await statusesOf(20, "/v1/session", { ...headers, origin: SHOP_ORIGIN });
    expect(new Set(own)).toEqual(new Set([200]));
  });
});

describe("the app's own page, where no merchant lists the app's origin,", () => {
  const lookUp = async (headers: Headers) =>
    broker.fetch(`${ORIGIN}/v1/look-ups`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: ORIGIN, ...headers },
      body: JSON.stringify({ phone: broker.ben.phone }),
    });

  it("finds somebody for who is signed in, and is given no leave that it does not need", async () => {
    await broker.sql`delete from broker.merchant_origins where origin = ${ORIGIN}`;
    const { status, headers } = await lookUp(ownPage(await broker.signIn("payer")));
    const leave = [...headers.keys()].filter((name) => name.startsWith("access-control-"));
    expect([status, leave, headers.get("vary")]).toEqual([200, [], "Origin"]);
  });

  it("is still asked for what only it can send", async () => {
    const { cookie = "", ...rest } = ownPage(await broker.signIn("payer"));
    expect((await lookUp({ cookie })).status).toBe(403);
    expect((await lookUp({ cookie, ...rest, "sec-fetch-site": "same-site" })).status).toBe(403);
    expect((await lookUp(rest)).status).toBe(401);
    // A token decides alone, and is checked by its origins.
    expect((await lookUp({ cookie, ...rest, ...wrong })).status).toBe(403);
  });
});
