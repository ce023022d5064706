import { randomBytes } from "node:crypto";
import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBroker, ORIGIN, ownPage, SHOP_ORIGIN, type TestBroker } from "../../../test/support/broker.ts";
import { createBroker } from "../create-broker.ts";
import { retireDemoBroker } from "./retire-demo-broker.ts";
import { seedDemoBroker } from "./seed-demo-broker.ts";

const key = randomBytes(32);
let broker: TestBroker;
beforeAll(async () => {
  broker = await aBroker({ key });
});
afterAll(() => broker.stop());

function cookieOf(response: Response): string {
  return (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

function pressButton(person: string): Promise<Response> {
  return broker.fetch(`${ORIGIN}/v1/demo/sign-in`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-cupo-request": "1" },
    body: JSON.stringify({ person }),
  });
}

describe("the demo's people", () => {
  it("are listed for the welcome page", async () => {
    const response = await broker.fetch(`${ORIGIN}/v1/demo/people`);
    const people = (await response.json()) as { person: string; role: string }[];
    expect(people.map(({ person }) => person)).toEqual(["payer", "other", "merchant"]);
  });

  it("are no operators to a button, which whoever reaches the page can press", async () => {
    expect((await pressButton("payer")).status).toBe(200);
    expect((await pressButton("operator")).status).toBe(404);
    const cookie = cookieOf(await broker.fetch(broker.demo.signInUrls.operator ?? "", { redirect: "manual" }));
    const listed = await broker.fetch(`${ORIGIN}/v1/operator/enrolments`, { headers: ownPage(cookie) });
    expect(listed.status).toBe(200);
  });

  it("sign in with the address of demo.json, again and again, each time with a new session", async () => {
    const url = broker.demo.signInUrls.payer ?? "";
    const [first, second] = [await broker.fetch(url, { redirect: "manual" }), await broker.fetch(url)];
    expect([first.status, first.headers.get("location")]).toEqual([303, "/#signed-in"]);
    expect(cookieOf(first)).not.toBe(cookieOf(second));
    const me = await broker.fetch(`${ORIGIN}/v1/me`, { headers: ownPage(cookieOf(second)) });
    expect(await me.json()).toMatchObject({ id: broker.ana.id, demo: true, quota_available: 500_000, currency: "COP" });
  });

  it("are signed in as long as the demo is on: without it their cookies open nothing", async () => {
    const cookie = await broker.signIn("payer");
    const inEarnest = createBroker({ ...broker.options, demo: false });
    const me = ({ app }: Pick<TestBroker, "app">) => app.request(`${ORIGIN}/v1/me`, { headers: ownPage(cookie) });
    expect([(await me(broker)).status, (await me(inEarnest)).status]).toEqual([200, 401]);
    await inEarnest.close();
  });

  it.each(["", "si_wrong", `si_${"A".repeat(43)}`])("do not sign in with the key %s", async (wrong) => {
    const response = await broker.fetch(`${ORIGIN}/demo/sign-in?key=${wrong}`);
    expect([response.status, response.headers.get("set-cookie")]).toEqual([404, null]);
  });

  it("are refused under a name that nobody has", async () => {
    expect((await pressButton("nobody")).status).toBe(404);
  });
});

describe("the demo's data", () => {
  it("is the same after another start, and the database holds none of its keys", async () => {
    const again = await seedDemoBroker({
      ...{ sql: broker.sql, key, publicOrigin: ORIGIN, clock: () => new Date(), newId: () => v7() },
      people: [
        { person: "payer", name: "Ana", role: "payer", userId: broker.ana.id },
        { person: "merchant", name: "Café", role: "merchant", userId: broker.shop.id },
      ],
      merchant: { userId: broker.shop.id, name: "Café La Esquina", origins: [ORIGIN, SHOP_ORIGIN] },
    });
    expect(again.merchantKeys).toEqual(broker.demo.merchantKeys);
    expect(again.signInUrls.payer).toBe(broker.demo.signInUrls.payer);
    const dump = JSON.stringify([
      await broker.sql`select * from broker.people`,
      await broker.sql`select * from broker.merchants`,
      await broker.sql`select kind, encode(key_hash, 'escape') from broker.merchant_keys`,
    ]);
    expect((await broker.sql`select from broker.merchants`).length).toBe(1);
    for (const secret of Object.values(again.merchantKeys)) expect(dump).not.toContain(secret.slice(3));
  });
});

describe("the demo that is turned off", () => {
  const now = (): Date => new Date();
  const opensWith = async (url = "") => cookieOf(await broker.fetch(url, { redirect: "manual" })) !== "";
  const shopStarts = async (): Promise<boolean> => {
    const body = { kind: "pay" as const, amount: 1_000, origin: SHOP_ORIGIN };
    return broker.merchant.createSession({ body }).then(
      () => true,
      () => false,
    );
  };
  const disabled = () => broker.sql<{ demo_name: string }[]>`
    select demo_name from broker.people where demo_name is not null and disabled_at is not null order by demo_name`;

  it("leaves no way in and no shop, and is whole again when it is on again", async () => {
    const { operator, payer } = broker.demo.signInUrls;
    const session = ownPage(await broker.signIn("operator"));
    const look = async () => (await broker.fetch(`${ORIGIN}/v1/operator/enrolments`, { headers: session })).status;
    const state = async () => [await opensWith(operator), await opensWith(payer), await shopStarts()];
    expect([await state(), await look()]).toEqual([[true, true, true], 200]);
    await retireDemoBroker({ sql: broker.sql, key, clock: now });
    await retireDemoBroker({ sql: broker.sql, key, clock: now });
    expect([await state(), await look()]).toEqual([[false, false, false], 401]);
    expect((await disabled()).map(({ demo_name }) => demo_name)).toEqual(["operator"]);
    await broker.seedDemo();
    expect([await state(), await look()]).toEqual([[true, true, true], 401]);
    expect(await disabled()).toEqual([]);
  });

  it("does not bring back, when it is on again, an operator whom somebody shut out", async () => {
    await broker.sql`update broker.people set disabled_at = ${now()} where demo_name = 'operator'`;
    await retireDemoBroker({ sql: broker.sql, key, clock: now });
    await broker.seedDemo();
    expect((await disabled()).map(({ demo_name }) => demo_name)).toEqual(["operator"]);
    await broker.sql`update broker.people set disabled_at = null where demo_name = 'operator'`;
  });
});

describe("the demo shop", () => {
  function startOrder(order: string, headers: Record<string, string> = {}) {
    return broker.fetch(`${ORIGIN}/demo/session?order=${order}`, { method: "POST", headers });
  }

  it("starts an order of 25 000, and learns from its backend that it was paid", async () => {
    const { session } = (await (await startOrder("1042")).json()) as { session: string };
    const shown = (await broker.widget(session).widgetSession({})).body;
    expect(shown).toMatchObject({ amount: 25_000, currency: "COP", payee: "Café La Esquina" });
    const order = async () => (await broker.fetch(`${ORIGIN}/demo/order?order=1042`)).json();
    expect(await order()).toEqual({ state: "unpaid" });
    const ana = await broker.as("payer");
    const { id, payee, amount, reference = "" } = (await ana.openApproval({ body: { payload: shown.payload } })).body;
    await ana.confirmApproval({ params: { id }, body: { payee, amount, reference, demo: true } });
    expect(await order()).toEqual({ state: "paid" });
  });

  it("is the same shop by the other name of this machine, whose page sends no Origin", async () => {
    const { session } = (await (await startOrder("9")).json()) as { session: string };
    const other = ORIGIN.replace("localhost", "127.0.0.1");
    const response = await broker.fetch(`${other}/demo/session?order=9`, { method: "POST" });
    expect(((await response.json()) as { session: string }).session).toBe(session);
    const headers = { authorization: `Bearer ${session}` };
    expect((await broker.fetch(`${other}/v1/session`, { headers })).status).toBe(200);
  });

  it("gives a reloaded page the same session", async () => {
    const [first, second] = [await startOrder("7"), await startOrder("7")];
    expect(((await second.json()) as { session: string }).session).toBe(
      ((await first.json()) as { session: string }).session,
    );
  });

  it("is not there for pages of other sites, and names a missing order", async () => {
    expect((await startOrder("8", { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await startOrder("")).status).toBe(400);
    expect((await broker.fetch(`${ORIGIN}/demo/order?order=unknown`)).status).toBe(404);
  });
});

describe("a customer of the demo shop", () => {
  interface Account {
    readonly connect: string;
    readonly connected: boolean;
    readonly refused: boolean;
  }

  async function account(cookie = ""): Promise<Account & { readonly cookie: string }> {
    const response = await broker.fetch(`${ORIGIN}/demo/customer`, { headers: { cookie } });
    return { ...((await response.json()) as Account), cookie: cookieOf(response) || cookie };
  }

  /** Answers a customer's link as the app does; returns the address at which the browser comes back. */
  async function cameBack(connect: string, answer?: string): Promise<string> {
    const asked = new URLSearchParams(new URL(connect).hash.slice(1));
    const ana = await broker.as("payer");
    const body = { merchant_id: asked.get("merchant") ?? "", proof: { demo: true } } as const;
    const code = answer ?? (await ana.createGrant({ body })).body.code;
    return `${asked.get("return-to")}&cupo_grant=${code}`;
  }

  const comeBack = (address: string, cookie = "") => broker.fetch(address, { headers: { cookie }, redirect: "manual" });
  const startQuota = (cookie = "") =>
    broker.fetch(`${ORIGIN}/demo/quota-session`, { method: "POST", headers: { cookie } });

  it("is known by a cookie of the shop alone, and shown the quota until the grant is taken back", async () => {
    const { cookie, connect, connected } = await account();
    const set = (await broker.fetch(`${ORIGIN}/demo/customer`)).headers.get("set-cookie");
    expect(set).toMatch(/^cupo-demo-customer=[\w-]{32}; Path=\/demo; HttpOnly; SameSite=Lax$/);
    expect([connected, (await startQuota(cookie)).status]).toEqual([false, 403]);
    const response = await comeBack(await cameBack(connect), cookie);
    expect([response.status, response.headers.get("location")]).toEqual([303, "/demo/customer.html"]);
    expect((await account(cookie)).connected).toBe(true);
    const { session } = (await (await startQuota(cookie)).json()) as { session: string };
    expect((await broker.quotaPage(session).widgetSession({})).body).toMatchObject({ name: "Ana Torres" });
    const ana = await broker.as("payer");
    for (const { id } of (await ana.myGrants({})).body) await ana.revokeGrant({ params: { id } });
    expect((await startQuota(cookie)).status).toBe(403);
    expect((await account(cookie)).connected).toBe(false);
  });

  it("is not connected by an address that another browser brought back, or would have", async () => {
    const [one, two] = [await account(), await account()];
    const address = await cameBack(one.connect);
    await comeBack(address);
    await comeBack(address, two.cookie);
    expect((await account(two.cookie)).connected).toBe(false);
    await comeBack(address, one.cookie);
    expect((await account(one.cookie)).connected).toBe(true);
    // Not even where the state is the other customer's own: the code was used.
    const code = new URL(address).searchParams.get("cupo_grant") ?? "";
    await comeBack(await cameBack(two.connect, code), two.cookie);
    expect((await account(two.cookie)).connected).toBe(false);
    expect([(await startQuota(two.cookie)).status, (await startQuota()).status]).toEqual([403, 403]);
  });

  it("who said no is told so once, and stays connected where that was before", async () => {
    const { cookie, connect } = await account();
    await comeBack(await cameBack(connect, "none"), cookie);
    expect(await account(cookie)).toMatchObject({ connected: false, refused: true });
    const again = await account(cookie);
    expect(again.refused).toBe(false);
    await comeBack(await cameBack(again.connect), cookie);
    await comeBack(await cameBack((await account(cookie)).connect, "none"), cookie);
    expect((await account(cookie)).connected).toBe(true);
  });
});

describe("the audit", () => {
  it("has a record of each decision, and cannot be changed", async () => {
    const rows = await broker.sql<{ action: string }[]>`select distinct action from broker.audit_records`;
    expect(rows.map(({ action }) => action).sort()).toEqual([
      "confirm approval",
      "demo sign-in",
      "grant quota",
      "open approval",
      "prove presence",
      "revoke grant",
      "settle approval",
      "start session",
    ]);
    const [marked] = await broker.sql<{ facts: string }[]>`
      select facts from broker.audit_records where action = 'confirm approval' and outcome = 'consumed'`;
    expect(JSON.parse(marked?.facts ?? "{}")).toMatchObject({ demo: true, method: "button" });
    await expect(broker.sql`update broker.audit_records set outcome = 'x'`).rejects.toThrow("never changed");
    await expect(broker.sql`delete from broker.audit_records`).rejects.toThrow("never changed");
    await expect(broker.sql`truncate broker.audit_records`).rejects.toThrow("never changed");
  });
});
