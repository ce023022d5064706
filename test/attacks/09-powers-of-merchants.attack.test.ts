import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { holdRequest } from "../support/held-request.ts";
import type { AppBrowser } from "./support/app-browser.ts";
import { attack } from "./support/attack.ts";
import type { EntityCaller } from "./support/entity-caller.ts";
import { HttpCaller } from "./support/http-caller.ts";
import { Target } from "./support/target.ts";

const QUOTA = 5_000_000;
const PAGE = "https://till.example";

let target: Target;
let own: EntityCaller;
let admin: AppBrowser;
let accomplice: { readonly id: string; readonly phone: string };

beforeAll(async () => {
  target = await Target.start();
  own = await target.own();
  admin = await target.operator("admin", "Ada");
  // A second admin, so that nothing is refused for want of one.
  await target.operator("admin", "Abel");
  const { body } = await own.post("/create-user", { name: "Accomplice", nit: "190000001", phone: "3009990001" });
  accomplice = body;
});
afterAll(() => target?.remove());

const bearer = (token: unknown) => new HttpCaller(target.origin, () => ({ authorization: `Bearer ${token}` }));

/** A till that a server key starts; undefined where it may not. */
async function tillOf(serverKey: unknown): Promise<HttpCaller | undefined> {
  const body = { kind: "recharge", origin: PAGE, max_amount: QUOTA };
  const { session } = (await bearer(serverKey).post("/v1/sessions", body)).body;
  if (session === undefined) return undefined;
  return new HttpCaller(target.origin, () => ({ authorization: `Bearer ${session}`, origin: PAGE }));
}

/** Sells to the accomplice at a till, as far as that goes. */
async function sellAt(page: HttpCaller | undefined, amounts: readonly number[]): Promise<void> {
  const { handle } = (await page?.post("/v1/look-ups", { phone: accomplice.phone }))?.body ?? {};
  for (const amount of amounts) {
    const key = { "idempotency-key": `sale-${Math.random()}` };
    await page?.post("/v1/recharges", { handle, amount }, key);
  }
}

/** Starts a till with a server key and sells to the accomplice, as far as that goes. */
const sell = async (serverKey: unknown, amounts: readonly number[]) => sellAt(await tillOf(serverKey), amounts);

/** Has an admin agree to a merchant's waiting change, where this version requires that. */
async function agreeTo(merchantId: string, agreeing: AppBrowser): Promise<void> {
  const { body } = await agreeing.get("/v1/operator/merchant-changes");
  const change = Array.isArray(body) ? body.find((one) => one.merchant_id === merchantId) : undefined;
  await agreeing.post(`/v1/operator/merchant-changes/${change?.id}/agree`);
}

/** Begins a request whose body is held back; its end is sent later, and its answer awaited. */
async function beginPut(browser: AppBrowser, path: string, body: object): Promise<() => Promise<void>> {
  const bytes = Buffer.from(JSON.stringify(body));
  const own = { cookie: browser.cookie, origin: target.origin, "x-cupo-request": "1", "sec-fetch-site": "same-origin" };
  const headers = { ...own, "content-type": "application/json", "content-length": bytes.length };
  const held = request(new URL(path, target.origin), { method: "PUT", headers });
  const answered = new Promise<void>((resolve) => {
    held.on("response", (response) => response.resume().on("end", resolve)).on("error", () => resolve());
  });
  held.write(bytes.subarray(0, 3));
  // Long enough for the request to be authenticated before anything else happens.
  await delay(2_000);
  return () => {
    held.end(bytes.subarray(3));
    return answered;
  };
}

async function operatorNamed(name: string): Promise<{ readonly id: string }> {
  const operators = await target.commandJson<{ id: string; name: string }[]>("operator", "list");
  return operators.find((operator) => operator.name === name) ?? { id: "" };
}

/** Makes a merchant in a user's name, with the given powers. */
async function merchantOf(userId: string, powers: object): Promise<{ readonly id: string; readonly key: unknown }> {
  const { body } = await admin.post("/v1/operator/merchants", {
    ...{ name: "Till", user_id: userId, origins: [PAGE] },
    ...powers,
  });
  return { id: body.id, key: body.server_key };
}

/** A merchant that the command line lets sell in a user's name, and its server key. */
async function sellerOf(userId: string): Promise<{ readonly id: string; readonly key: string }> {
  const args = ["create", "--name", "Seller", "--user-id", userId, "--origin", PAGE, "--sells-top-ups"];
  const { id, server_key: key } = await target.commandJson<Record<"id" | "server_key", string>>("merchant", ...args);
  return { id, key };
}

describe("one admin alone", () => {
  attack("spends any user's quota through a till that is made for it", async () => {
    const victim = await own.aUser({ quota: QUOTA });
    const { key } = await merchantOf(victim, { sells_top_ups: true });
    await sell(key, [QUOTA]);
    expect(await own.available(victim)).toBe(QUOTA);
  });

  attack("spends it through a merchant that is let sell later", async () => {
    const victim = await own.aUser({ quota: QUOTA });
    const { id, key } = await merchantOf(victim, {});
    const change = await admin.put(`/v1/operator/merchants/${id}`, { sells_top_ups: true });
    // The admin who asked also agrees.
    await admin.post(`/v1/operator/merchant-changes/${change.body.change?.id}/agree`);
    await sell(key, [QUOTA]);
    expect(await own.available(victim)).toBe(QUOTA);
  });

  attack("spends the quota of a merchant that sells already, with a new key for it", async () => {
    const victim = await own.aUser({ quota: QUOTA });
    const { id } = await sellerOf(victim);
    const rotated = await admin.post(`/v1/operator/merchants/${id}/rotate`, { kind: "server" });
    await sell(rotated.body.server_key, [QUOTA]);
    expect(await own.available(victim)).toBe(QUOTA);
  });

  attack("spends the quota with a key that was made while two others let the merchant sell", async () => {
    const victim = await own.aUser({ quota: QUOTA });
    const { id } = await merchantOf(victim, {});
    const [asking, agreeing] = [await target.operator("admin", "Dora"), await target.operator("admin", "Elsa")];
    await asking.put(`/v1/operator/merchants/${id}`, { sells_top_ups: true });
    const rotated = await admin.post(`/v1/operator/merchants/${id}/rotate`, { kind: "server" });
    await agreeTo(id, agreeing);
    await sell(rotated.body.server_key, [QUOTA]);
    expect(await own.available(victim)).toBe(QUOTA);
  });

  attack("sends a shop's payment data elsewhere for a while, and the audit does not say where", async () => {
    const { id } = await merchantOf(accomplice.id, { webhook_url: "https://shop.example/told" });
    await admin.put(`/v1/operator/merchants/${id}`, { webhook_url: "https://mole.example/told?key=1" });
    await admin.put(`/v1/operator/merchants/${id}`, { webhook_url: "https://shop.example/told" });
    const records = await target.sql<{ facts: unknown }[]>`
      select facts::text as facts from broker.audit_records where subject = ${id}`;
    expect(records.map(({ facts }) => facts).join()).toContain("mole.example");
  });

  attack("changes a merchant by a request that was begun before the admin was shut out", async () => {
    const { id } = await merchantOf(accomplice.id, {});
    const leaving = await target.operator("admin", "Fina");
    const finish = await beginPut(leaving, `/v1/operator/merchants/${id}`, { name: "Mole" });
    const { id: leavingId } = await operatorNamed("Fina");
    await target.command("operator", "disable", leavingId);
    await finish();
    const [merchant] = await target.sql`select name from broker.merchants where id = ${id}`;
    expect(merchant?.name).toBe("Till");
  });

  attack("sees any user's quota as a first-party merchant", async () => {
    const victim = await own.aUser({ quota: QUOTA });
    const { key } = await merchantOf(accomplice.id, { first_party: true });
    const { session } = (await bearer(key).post("/v1/sessions", { kind: "quota", user: victim, origin: PAGE })).body;
    const page = new HttpCaller(target.origin, () => ({ authorization: `Bearer ${session}`, origin: PAGE }));
    expect((await page.get("/v1/session")).body.quota_available).not.toBe(QUOTA);
  });
});

describe("a leaked session of a till", () => {
  attack("sells by a request that was held back until the till was stopped", async () => {
    for (const stop of [
      (id: string) => target.command("merchant", "change", id, "--no-sells-top-ups"),
      (id: string) => target.command("merchant", "disable", id),
    ]) {
      const user = await own.aUser({ quota: QUOTA });
      const { id, key } = await sellerOf(user);
      const till = { kind: "recharge", origin: PAGE, max_amount: QUOTA };
      const { session } = (await bearer(key).post("/v1/sessions", till)).body;
      const { handle } = (await bearer(session).post("/v1/look-ups", { phone: accomplice.phone }, { origin: PAGE }))
        .body;
      const headers = { authorization: `Bearer ${session}`, origin: PAGE, "idempotency-key": `held ${id}` };
      const held = await holdRequest(`${target.origin}/v1/recharges`, { headers, body: { handle, amount: 20_000 } });
      await stop(id);
      await held.finish();
      expect(await own.available(user)).toBe(QUOTA);
    }
  });
});

describe("two admins", () => {
  attack("sell in the name of a user who has a passkey, without it", async () => {
    const victim = await own.aUser({ quota: QUOTA });
    await target.invite(victim);
    const { id, key } = await merchantOf(victim, { sells_top_ups: true });
    const second = await target.operator("admin", "Bruno");
    await agreeTo(id, second);
    await sell(key, [QUOTA]);
    expect(await own.available(victim)).toBe(QUOTA);
  });

  it("let a merchant sell in the name of a user without a passkey", async () => {
    const user = await own.aUser({ quota: QUOTA });
    const { id, key } = await merchantOf(user, { sells_top_ups: true });
    const second = await target.operator("admin", "Carla");
    await agreeTo(id, second);
    await sell(key, [10_000]);
    expect(await own.available(user)).toBe(QUOTA - 10_000);
  });
});

describe("a merchant that was stopped", () => {
  attack("sells at a till of before as soon as it may sell again", async () => {
    const user = await own.aUser({ quota: QUOTA });
    const { id, key } = await sellerOf(user);
    const page = await tillOf(key);
    await target.command("merchant", "change", id, "--no-sells-top-ups");
    await target.command("merchant", "change", id, "--sells-top-ups");
    await sellAt(page, [QUOTA]);
    expect(await own.available(user)).toBe(QUOTA);
  });

  attack("sells what was not sent before it was disabled", async () => {
    const user = await own.aUser({ quota: QUOTA });
    const { id, key } = await sellerOf(user);
    await sell(key, [10_000]);
    await target.command("merchant", "disable", id);
    // The sale as a process leaves it that dies before sending it.
    const left = randomUUID();
    await target.sql`
      insert into broker.recharges (id, session_id, merchant_id, till, day, attempt_key, fingerprint, look_up_id,
        from_user_id, to_user_id, masked_name, amount, currency, state, created_at)
      select ${left}, session_id, merchant_id, till, day, ${left}, fingerprint, look_up_id, from_user_id, to_user_id,
        masked_name, amount, currency, 'running', now() - interval '12 seconds'
      from broker.recharges where merchant_id = ${id}`;
    const isLeft = async () =>
      (await target.sql`select from broker.recharges where id = ${left} and state = 'running'`).length;
    await expect.poll(isLeft, { timeout: 30_000 }).toBe(0);
    expect(await own.available(user)).toBe(QUOTA - 10_000);
  });
});

describe("the broker's limits", () => {
  attack("of a payment and of a day are passed by a till", async () => {
    const user = await own.aUser({ quota: QUOTA });
    const { key } = await sellerOf(user);
    await target.command("operator", "rules", "--payment-limit", "100000", "--day-limit", "250000");
    await sell(key, [1_000_000, 100_000, 100_000, 100_000]);
    await target.command("operator", "rules", "--payment-limit", "none", "--day-limit", "none");
    expect(await own.available(user)).toBeGreaterThanOrEqual(QUOTA - 250_000);
  });

  it("let a till sell within them", async () => {
    const user = await own.aUser({ quota: QUOTA });
    const { key } = await sellerOf(user);
    await sell(key, [10_000, 20_000]);
    expect(await own.available(user)).toBe(QUOTA - 30_000);
  });
});
