import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  aBroker,
  anOrder,
  ORIGIN,
  ownPage,
  SESSION_COOKIE,
  SHOP_ORIGIN,
  type TestBroker,
} from "../../../test/support/broker.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await aBroker();
});
afterAll(() => broker.stop());

const DAY = 24 * 60 * 60;

function me(headers: Record<string, string>): Promise<Response> {
  return broker.fetch(`${ORIGIN}/v1/me`, { headers });
}

function signIn(headers: Record<string, string> = {}): Promise<Response> {
  return broker.fetch(`${ORIGIN}/v1/demo/sign-in`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-cupo-request": "1", ...headers },
    body: JSON.stringify({ person: "payer" }),
  });
}

describe("a sign-in", () => {
  it("is a host-only cookie that no script reads and no other site sends", async () => {
    const cookie = (await signIn()).headers.get("set-cookie") ?? "";
    const [pair = "", ...attributes] = cookie.split("; ");
    expect(pair).toMatch(/^cupo-session=si_[\w-]{43}$/);
    expect(attributes.sort()).toEqual(["HttpOnly", "Max-Age=7776000", "Path=/", "SameSite=Strict"]);
  });

  it("is kept as a hash: the database does not hold the cookie", async () => {
    const token = (await broker.signIn("payer")).split("=")[1] ?? "";
    const rows = await broker.sql`select encode(token_hash, 'escape') as hash from broker.sign_in_sessions`;
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it("ends the session that the browser had, so that a planted cookie is worth nothing", async () => {
    const old = await broker.signIn("payer");
    const response = await signIn({ cookie: old });
    const fresh = (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    expect(fresh).not.toBe(old);
    expect((await me(ownPage(old))).status).toBe(401);
    expect((await me(ownPage(fresh))).status).toBe(200);
  });

  it("never takes a session that somebody made up", async () => {
    const planted = `${SESSION_COOKIE}=si_${"A".repeat(43)}`;
    expect((await me(ownPage(planted))).status).toBe(401);
    expect((await me(ownPage(`${SESSION_COOKIE}=1' or '1'='1`))).status).toBe(401);
  });

  it("is refused when two cookies contradict each other", async () => {
    const cookie = await broker.signIn("payer");
    expect((await me(ownPage(`${cookie}; ${SESSION_COOKIE}=si_${"A".repeat(43)}`))).status).toBe(401);
  });

  it("ends with sign-out, in the browser and here", async () => {
    const cookie = await broker.signIn("payer");
    const response = await broker.fetch(`${ORIGIN}/v1/sign-out`, { method: "POST", headers: ownPage(cookie) });
    expect(response.headers.get("set-cookie")).toContain("Max-Age=0");
    expect((await me(ownPage(cookie))).status).toBe(401);
  });

  it("ends after thirty days without a sign of the person; polling is none", async () => {
    const cookie = await broker.signIn("payer");
    broker.advance(20 * DAY);
    await broker.fetch(`${ORIGIN}/v1/me/qr?reference=7K3M9QXT2V4FW`, { headers: ownPage(cookie) });
    broker.advance(11 * DAY);
    expect((await me(ownPage(cookie))).status).toBe(401);
  });

  it("goes on while the person comes back, and ends after ninety days all the same", async () => {
    const cookie = await broker.signIn("payer");
    for (const expected of [200, 200, 200]) {
      broker.advance(29 * DAY);
      expect((await me(ownPage(cookie))).status).toBe(expected);
    }
    broker.advance(4 * DAY);
    expect((await me(ownPage(cookie))).status).toBe(401);
  });
});

describe("a route with a cookie", () => {
  const cases: readonly [string, Record<string, string>, number][] = [
    ["from the app's own page", { "x-cupo-request": "1", "sec-fetch-site": "same-origin" }, 200],
    ["without the header", { "sec-fetch-site": "same-origin" }, 403],
    ["with another value in the header", { "x-cupo-request": "true", "sec-fetch-site": "same-origin" }, 403],
    ["from another site", { "x-cupo-request": "1", "sec-fetch-site": "cross-site" }, 403],
    ["from another port or subdomain", { "x-cupo-request": "1", "sec-fetch-site": "same-site" }, 403],
    ["typed into the address bar", { "x-cupo-request": "1", "sec-fetch-site": "none" }, 403],
    ["from an old browser on our page", { "x-cupo-request": "1", origin: ORIGIN }, 200],
    ["from an old browser elsewhere", { "x-cupo-request": "1", origin: "https://evil.example" }, 403],
    ["from a sandboxed frame", { "x-cupo-request": "1", origin: "null" }, 403],
    ["from a program", { "x-cupo-request": "1" }, 200],
  ];

  it.each(cases)("asked %s answers as it should", async (_name, headers, expected) => {
    const cookie = await broker.signIn("payer");
    expect((await me({ cookie, ...headers })).status).toBe(expected);
  });

  it.each(cases)("asked to sign in %s answers as it should", async (_name, headers, expected) => {
    const response = await broker.fetch(`${ORIGIN}/v1/demo/sign-in`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ person: "payer" }),
    });
    expect(response.status).toBe(expected);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])(
    "takes no write of type %s, which a form could send",
    async (type) => {
      const headers = { ...ownPage(await broker.signIn("payer")), "content-type": type };
      const response = await broker.fetch(`${ORIGIN}/v1/me/qr`, { method: "POST", headers, body: "{}" });
      expect(response.status).toBe(415);
    },
  );

  it("is not answered for a tab that shows another person, and carries out nothing in their name", async () => {
    const headers = ownPage(await broker.signIn("payer"));
    const ask = (person: string) =>
      broker.fetch(`${ORIGIN}/v1/me`, { headers: { ...headers, "x-cupo-person": person } });
    expect((await ask(broker.ana.id)).status).toBe(200);
    const refused = await ask(broker.ben.id);
    expect([refused.status, (await refused.json()).code]).toEqual([409, "another_person"]);
  });
});

describe("a widget route", () => {
  async function ask(origin: string | undefined, token: string): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, ...(origin === undefined ? {} : { origin }) };
    return broker.fetch(`${ORIGIN}/v1/session`, { headers });
  }

  function preflight(origin: string): Promise<Response> {
    return broker.fetch(`${ORIGIN}/v1/session`, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "GET", "access-control-request-headers": "authorization" },
    });
  }

  it("echoes exactly the session's origin, exposes what the element reads, and takes no cookies", async () => {
    const { session } = await anOrder(broker);
    const { status, headers } = await ask(SHOP_ORIGIN, session);
    expect(status).toBe(200);
    expect(headers.get("access-control-allow-origin")).toBe(SHOP_ORIGIN);
    expect(headers.get("access-control-expose-headers")).toBe("ETag, Link, Retry-After, Request-Id");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    expect(headers.get("vary")).toBe("Origin");
  });

  it.each([
    ["another listed origin", "https://second.example"],
    ["the broker's own origin", ORIGIN],
    ["an unlisted origin", "https://evil.example"],
    ["a longer name", `${SHOP_ORIGIN}.evil.example`],
    ["another scheme", SHOP_ORIGIN.replace("https", "http")],
    ["null", "null"],
  ])("refuses a page of %s, and shows it nothing", async (_name, origin) => {
    await broker.sql`insert into broker.merchant_origins (merchant_id, origin)
      select id, 'https://second.example' from broker.merchants on conflict do nothing`;
    const { session } = await anOrder(broker);
    const response = await ask(origin, session);
    expect(response.status).toBe(403);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    expect(await response.text()).not.toContain("000201");
  });

  it("answers a request without an origin, which needs no leave and gets none", async () => {
    const { session } = await anOrder(broker);
    const { status, headers } = await ask(undefined, session);
    expect([status, headers.get("access-control-allow-origin")]).toEqual([200, null]);
  });

  it("tells a listed page that its session is over", async () => {
    const response = await ask(SHOP_ORIGIN, `ws_${"A".repeat(43)}`);
    expect(response.status).toBe(401);
    expect(response.headers.get("access-control-allow-origin")).toBe(SHOP_ORIGIN);
  });

  it("lets listed origins ask first, and no other", async () => {
    const listed = await preflight(SHOP_ORIGIN);
    expect(listed.status).toBe(204);
    expect(listed.headers.get("access-control-allow-origin")).toBe(SHOP_ORIGIN);
    expect(listed.headers.get("access-control-allow-methods")).toBe("GET");
    expect(listed.headers.get("access-control-allow-headers")).toContain("Authorization");
    for (const origin of ["https://evil.example", "null"]) {
      expect((await preflight(origin)).headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  it("gives no page the person's routes", async () => {
    const headers = { origin: SHOP_ORIGIN, "access-control-request-method": "GET" };
    const response = await broker.fetch(`${ORIGIN}/v1/me`, { method: "OPTIONS", headers });
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("does not take a server key from a browser", async () => {
    const response = await broker.fetch(`${ORIGIN}/v1/sessions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${broker.demo.merchantKeys.serverKey}`,
        origin: SHOP_ORIGIN,
        "content-type": "application/json",
      },
      body: JSON.stringify({ kind: "pay", amount: 5, origin: SHOP_ORIGIN }),
    });
    expect(response.status).toBe(403);
  });
});

describe("a credential that is nobody's", () => {
  it.each([
    ["no key at all", undefined, /^Send the header Authorization: Bearer and the merchant's server key/],
    ["an unknown server key", `sk_${"A".repeat(43)}`, /mistyped, was retired, .*disabled, or of another installation/],
    ["half a server key", "sk_A", /mistyped, was retired/],
    ["an unknown session", `ws_${"A".repeat(43)}`, /^The session of this token is over, or unknown/],
  ])("is told what to do: %s", async (_name, token, expected) => {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await broker.fetch(`${ORIGIN}/v1/payments`, { headers });
    const { code, detail } = (await response.json()) as { code: string; detail: string };
    expect([response.status, code, detail]).toEqual([401, "unauthorized", expect.stringMatching(expected)]);
    if (token !== undefined) expect(detail).not.toContain(token);
  });

  it("is told the same of a key that was retired as of one that never was", async () => {
    const ask = async (token: string) => {
      const response = await broker.fetch(`${ORIGIN}/v1/payments`, { headers: { authorization: `Bearer ${token}` } });
      return ((await response.json()) as { detail?: string }).detail;
    };
    const { serverKey } = broker.demo.merchantKeys;
    expect(await ask(serverKey)).toBeUndefined();
    await broker.sql`update broker.merchant_keys set revoked_at = now() where kind = 'server'`;
    expect(await ask(serverKey)).toBe(await ask(`sk_${"A".repeat(43)}`));
    await broker.sql`update broker.merchant_keys set revoked_at = null where kind = 'server'`;
  });
});
