import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBroker, ORIGIN, ownPage, SHOP_ORIGIN, type TestBroker } from "../../test/support/broker.ts";
import { aTill, fundShop } from "../../test/support/till.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await aBroker({ wait: async () => undefined });
  await fundShop(broker);
});
afterAll(() => broker.stop());

async function ask(path: string, headers: Readonly<Record<string, string>>, body?: string) {
  const type = { "content-type": "application/json" };
  const request = body === undefined ? { headers } : { method: "POST", headers: { ...type, ...headers }, body };
  const response = await broker.fetch(`${ORIGIN}${path}`, request);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function countOf(table: "widget_sessions" | "look_ups" | "grants" | "merchants"): Promise<number> {
  return (await broker.sql`select from ${broker.sql(`broker.${table}`)}`).length;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("a till's name", () => {
  it.each(["caja\r\nSet-Cookie: a=1", "caja\n\n<script>", "aja\u202ec", "c\u0430ja", "—"])(
    "%j is refused",
    async (name) => {
      const refused = aTill(broker, { till: name });
      await expect(refused).rejects.toMatchObject({ code: "invalid_request", faults: [{ pointer: "/till" }] });
    },
  );

  it.each(["<script>", "'; drop table broker.recharges; --", "caja:otra", "__proto__"])(
    "%j is a text like any other",
    async (name) => {
      const till = await aTill(broker, { till: name });
      expect((await till.sell(await till.find(), 1_000)).body).toMatchObject({ till: name, state: "approved" });
      const shown = await ask("/v1/session", bearer(till.session));
      expect(JSON.parse(shown.text)).toMatchObject({ till: name, sold_today: { count: 1 } });
      expect(shown.headers.get("set-cookie")).toBeNull();
      const listed = await broker.merchant.recharges({ query: { till: name } });
      expect(listed.body.map((recharge) => recharge.till)).toEqual([name]);
    },
  );
});

describe("a body that nobody should send", () => {
  interface Target {
    readonly path: string;
    readonly headers: () => Promise<Record<string, string>>;
    /** A body that would be carried out. */
    readonly right: () => object;
  }
  const origin = SHOP_ORIGIN;
  const tillPage = async () => bearer((await aTill(broker)).session);
  const targets: readonly Target[] = [
    {
      path: "/v1/sessions",
      headers: async () => bearer(broker.demo.merchantKeys.serverKey),
      right: () => ({ kind: "recharge", max_amount: 1_000, origin }),
    },
    {
      path: "/v1/sessions",
      headers: async () => ({ ...bearer(broker.demo.merchantKeys.publishableKey), origin }),
      right: () => ({ kind: "pay", amount: 5, origin }),
    },
    { path: "/v1/look-ups", headers: tillPage, right: () => ({ phone: broker.ben.phone }) },
    {
      path: "/v1/recharges",
      headers: async () => ({ ...(await tillPage()), "idempotency-key": v7() }),
      right: () => ({ handle: `lu_${"A".repeat(43)}`, amount: 1 }),
    },
    {
      path: "/v1/me/grants",
      headers: async () => ownPage(await broker.signIn("payer")),
      right: () => ({ merchant_id: v7() }),
    },
    {
      path: "/v1/operator/merchants",
      headers: async () => ownPage(await broker.signIn("operator")),
      right: () => ({ name: "Otra", user_id: broker.ana.id }),
    },
  ];

  /** Sends a body to every target; returns the statuses, and how many rows each table gained. */
  async function sendAll(bodyFor: (right: string) => string, more: Readonly<Record<string, string>> = {}) {
    const requests = await Promise.all(targets.map(async (target) => ({ ...target, headers: await target.headers() })));
    const counts = () => Promise.all((["widget_sessions", "look_ups", "grants", "merchants"] as const).map(countOf));
    const before = await counts();
    const statuses: number[] = [];
    for (const { path, headers, right } of requests) {
      const answer = await ask(path, { ...headers, ...more }, bodyFor(JSON.stringify(right())));
      statuses.push(answer.status);
    }
    return { statuses, changed: (await counts()).map((count, index) => count - (before[index] ?? 0)) };
  }

  it.each([
    ["over 256 KiB", `{"kind":"${"a".repeat(256 * 1024)}"}`, 413],
    ["cut off", '{"kind":', 400],
    ["empty", "", 400],
    ["null", "null", 400],
    ["a list", "[{}]", 400],
    ["a thousand deep", `${'{"a":'.repeat(1_000)}1${"}".repeat(1_000)}`, 400],
    ["half a character", '{"kind":"\\ud800","phone":"\\ud800","name":"\\ud800","handle":"\\ud800"}', 400],
    ["a number without end", '{"kind":"pay","amount":1e999,"phone":1e999,"name":1e999}', 400],
  ])("%s is refused wherever it is sent, and changes nothing", async (_name, body, status) => {
    const { statuses, changed } = await sendAll(() => body);
    expect(statuses).toEqual(targets.map(() => status));
    expect(changed).toEqual([0, 0, 0, 0]);
  });

  it.each([
    ["a field too many", '"admin":true,'],
    ["a prototype", '"__proto__":{"first_party":true},'],
    ["a field twice", '"kind":"pay","kind":"quota","admin":1,'],
  ])("%s spoils what else would be right", async (_name, fields) => {
    const { statuses, changed } = await sendAll((right) => right.replace("{", `{${fields}`));
    expect(statuses).toEqual(targets.map(() => 400));
    expect(changed).toEqual([0, 0, 0, 0]);
  });

  it("a name twice spoils it too, though both say the same", async () => {
    const twice = (right: string) => right.replace(/^\{("\w+":[^,}]+)/, "{$1,$1");
    expect(twice('{"kind":"pay","amount":5}')).toBe('{"kind":"pay","kind":"pay","amount":5}');
    const { statuses, changed } = await sendAll(twice);
    expect(statuses).toEqual(targets.map(() => 400));
    expect(changed).toEqual([0, 0, 0, 0]);
  });

  it("a form's is refused as such, also where no cookie is asked for", async () => {
    const { statuses, changed } = await sendAll((right) => right, { "content-type": "text/plain" });
    expect(statuses).toEqual(targets.map(() => 415));
    expect(changed).toEqual([0, 0, 0, 0]);
  });
});
