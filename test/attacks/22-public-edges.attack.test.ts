import { createECDH, randomBytes } from "node:crypto";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AppBrowser } from "./support/app-browser.ts";
import { attack } from "./support/attack.ts";
import type { EntityCaller } from "./support/entity-caller.ts";
import { HttpCaller } from "./support/http-caller.ts";
import { Target } from "./support/target.ts";

const SHOP = "https://shop.example";

let target: Target;
let own: EntityCaller;
let admin: AppBrowser;
/** A server of the private network, and the number of requests that reached it. */
let inside: Server;
let insideUrl: string;
let reached = 0;

beforeAll(async () => {
  inside = createServer((_, response) => {
    reached += 1;
    response.writeHead(201).end();
  });
  await new Promise<void>((resolve) => inside.listen(0, "127.0.0.1", resolve));
  insideUrl = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/admin`;
  // Webhooks may go there; an address that a person's browser names may not.
  target = await Target.start({ environment: { CUPO_WEBHOOK_PRIVATE: "127.0.0.0/8" } });
  own = await target.own();
  admin = await target.operator("admin");
});
afterAll(async () => {
  await target?.remove();
  inside?.close();
});

function subscription(endpoint: string) {
  const p256dh = createECDH("prime256v1").generateKeys().toString("base64url");
  return { endpoint, keys: { p256dh, auth: randomBytes(16).toString("base64url") }, language: "es" };
}

/** A merchant of a user of its own, whose pages are at that origin, and its keys; undefined when it is refused. */
async function aMerchant(origin: string) {
  const user_id = await own.aUser();
  const asked = { name: "Shop", user_id, origins: [origin], open_amount_limit: 100_000 };
  const { status, body } = await admin.post("/v1/operator/merchants", asked);
  return status === 201 ? body : undefined;
}

function pageOf(key: string, origin: string): HttpCaller {
  return new HttpCaller(target.origin, () => ({ authorization: `Bearer ${key}`, origin }));
}

describe("a browser that subscribes to push", () => {
  attack("has the server call an address of its private network", async () => {
    const payee = await own.aUser();
    const payer = await own.aUser({ quota: 1_000 });
    const phone = await target.invite(payee);
    await phone.post("/v1/me/push", subscription(insideUrl));
    await own.post("/create-transaction", { from_user_id: payer, to_user_id: payee, amount: 10 });
    await new Promise((done) => setTimeout(done, 3_000));
    expect(reached).toBe(0);
  });
});

describe("a merchant's pages", () => {
  attack("over plain http, where anybody on the way reads and changes them, are given sessions", async () => {
    const origin = "http://shop.example";
    const merchant = await aMerchant(origin);
    const session = await pageOf(merchant?.publishable_key ?? "none", origin).post("/v1/sessions", {
      ...{ kind: "pay", amount: 100, origin },
    });
    expect(session.body.session ?? "none").toBe("none");
  });

  attack("name an order, which the merchant's backend alone may", async () => {
    const merchant = await aMerchant(SHOP);
    const page = pageOf(merchant.publishable_key, SHOP);
    const asked = { kind: "pay", amount: 100, origin: SHOP, details: { order: "1042" } };
    const { body } = await page.post("/v1/sessions", asked);
    const named = await target.sql`
      select from service.qr_reservations where reference = ${body.reference ?? ""} and details::text like '%1042%'`;
    expect(named).toHaveLength(0);
  });

  it("on https are given sessions, and their own data goes through", async () => {
    const merchant = await aMerchant(SHOP);
    const asked = { kind: "pay", amount: 100, origin: SHOP, details: { shelf: "1042" } };
    expect((await pageOf(merchant.publishable_key, SHOP).post("/v1/sessions", asked)).status).toBe(201);
  });

  it("on this machine are given sessions over http", async () => {
    const origin = "http://localhost:3000";
    const merchant = await aMerchant(origin);
    const asked = { kind: "pay", amount: 100, origin };
    expect((await pageOf(merchant.publishable_key, origin).post("/v1/sessions", asked)).status).toBe(201);
  });
});

describe("the way back to a shop", () => {
  /** Starts a session that leads back there; returns the payer's scan of its code, undefined where it is refused. */
  async function scanned(serverKey: string, returnUrl: string, beforeScan = async (): Promise<void> => undefined) {
    const shop = new HttpCaller(target.origin, () => ({ authorization: `Bearer ${serverKey}` }));
    const asked = { kind: "pay", amount: 100, origin: SHOP, return_url: returnUrl };
    const { status, body } = await shop.post("/v1/sessions", asked);
    if (status !== 201) return undefined;
    await beforeScan();
    const phone = await target.invite(await own.aUser());
    return (await phone.post("/v1/scans", { reference: body.reference })).body;
  }

  it.each([
    "https://evil.example/",
    "https://shop.example.evil.example/",
    "https://shop.example@evil.example/",
    "https://evil.example\\@shop.example/",
    "http://shop.example/",
    "javascript:alert(1)//shop.example",
  ])("is no open redirect to %s", async (address) => {
    const merchant = await aMerchant(SHOP);
    expect(await scanned(merchant.server_key, address)).toBeUndefined();
  });

  it("is named by no page with the publishable key, and shut once the merchant gives its origin up", async () => {
    const merchant = await aMerchant(SHOP);
    const asked = { kind: "pay", amount: 100, origin: SHOP, return_url: `${SHOP}/thanks` };
    expect((await pageOf(merchant.publishable_key, SHOP).post("/v1/sessions", asked)).status).toBe(400);
    const offered = await scanned(merchant.server_key, `${SHOP}/thanks`);
    expect(offered?.return_url).toMatch(/^https:\/\/shop\.example\/thanks\?session_id=[0-9a-f-]{36}&state=cancelled$/);
    const giveUp = async (): Promise<void> => {
      await target.sql`delete from broker.merchant_origins where merchant_id = ${merchant.id}`;
    };
    expect(await scanned(merchant.server_key, `${SHOP}/thanks`, giveUp)).not.toHaveProperty("return_url");
  });
});

describe("a link that asks for a grant", () => {
  attack("leads back to a document that a page made up, and not to a page of the merchant", async () => {
    const merchant = await aMerchant(SHOP);
    const phone = await target.invite(await own.aUser());
    const query = { merchant: merchant.id, "return-to": `blob:${SHOP}/0b1f2c` };
    const { body } = await phone.get("/v1/me/grants/request", query);
    expect(String(body.return_to)).not.toContain("blob:");
  });
});

/** Posts with one line for each idempotency key, which `fetch` would join, and gives the JSON of the answer. */
async function postWithKeys(url: string, authorization: string, keys: readonly string[], body: object) {
  const headers = { authorization, "content-type": "application/json", "idempotency-key": [...keys] };
  const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof JSON.parse>>();
  const sent = request(url, { method: "POST", headers, agent: false }, (answer) => {
    void answer.toArray().then((parts) => resolve(JSON.parse(Buffer.concat(parts).toString())), reject);
  });
  sent.on("error", reject).end(JSON.stringify(body));
  return promise;
}

describe("a request whose Idempotency-Key a proxy doubled", () => {
  attack("pays, and its retry with the key once pays again", async () => {
    const [payer, payee] = [await own.aUser({ quota: 1_000 }), await own.aUser()];
    const payment = { from_user_id: payer, to_user_id: payee, amount: 5 };
    const url = `${target.product.demo.base_url}/create-transaction`;
    for (const keys of [["k", "k"], ["k"]]) await postWithKeys(url, `Bearer ${own.token}`, keys, payment);
    expect(await own.available(payee)).toBe(5);
  });

  attack("makes a session of the broker, and its retry with the key once another", async () => {
    const { server_key } = target.product.demo.merchant_keys;
    const session = { kind: "pay", amount: 100, origin: target.origin };
    const made = new Set<unknown>();
    for (const keys of [["k", "k"], ["k"]]) {
      const answer = await postWithKeys(`${target.origin}/v1/sessions`, `Bearer ${server_key}`, keys, session);
      if (answer.reference !== undefined) made.add(answer.reference);
    }
    expect(made.size).toBe(1);
  });
});

describe("an answer", () => {
  attack("of the broker or the service may be framed or read as something else", async () => {
    const { origin } = target;
    const service = target.product.demo.base_url;
    const kinds = [`${origin}/v1/me`, `${origin}/nothing.txt`, `${service}/nothing`, `${service}/openapi.json`];
    const open: string[] = [];
    for (const url of kinds) {
      const { headers } = await fetch(url);
      const isHeld = headers.has("content-security-policy") && headers.get("x-content-type-options") === "nosniff";
      if (!isHeld) open.push(new URL(url).pathname);
    }
    expect(open).toEqual([]);
  });
});

describe("a broker apart", () => {
  attack("sends its secret over plain http to another machine", async () => {
    const { readConfig } = await Target.load<{ readConfig: (environment: object, role: string) => object }>(
      "server/config/config.ts",
      "server/config.ts",
    );
    const environment = {
      ...{ DATABASE_URL: "postgres://cupo@localhost/cupo", CUPO_KEY: randomBytes(32).toString("base64") },
      ...{ CUPO_BASE_URL: "http://203.0.113.9", CUPO_AUTH_URL: "http://203.0.113.9" },
      ...{ CUPO_CLIENT_ID: "client_1", CUPO_CLIENT_SECRET: "secret" },
    };
    let told = "";
    try {
      readConfig(environment, "broker");
    } catch (error) {
      told = String(error);
    }
    expect(told).toMatch(/CUPO_BASE_URL is plain http/);
  });
});
