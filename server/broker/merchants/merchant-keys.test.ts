import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../../src/client.ts";
import { merchantContract } from "../../../src/contract/broker/broker.ts";
import type { MerchantWithKeys } from "../../../src/contract/broker/operator-merchants.ts";
import { asOperator, brokerDump, type OperatorClient } from "../../../test/support/as-operator.ts";
import { aBroker, ORIGIN, type TestBroker } from "../../../test/support/broker.ts";
import { type AnotherOperator, agreed, anotherOperator } from "../../../test/support/second-operator.ts";
import { topUpsSent } from "../../../test/support/till.ts";
import { createSealer } from "../../database/sealer.ts";
import { retireKeys } from "./live-keys.ts";
import { openWebhookSecrets } from "./webhook-secrets.ts";

const SHOP = "https://tienda.example";

let broker: TestBroker;
let admin: OperatorClient;
let second: AnotherOperator;
beforeAll(async () => {
  broker = await aBroker();
  admin = await asOperator(broker);
  second = await anotherOperator(broker, "admin");
});
afterAll(() => broker.stop());

async function aMerchant(allowed: object = {}): Promise<MerchantWithKeys> {
  const settings = { origins: [SHOP], open_amount_limit: 5_000, webhook_url: "https://tienda.example/hook" };
  const body = { name: "La Tienda", user_id: broker.shop.id, ...settings, ...allowed };
  return agreed(second.client, (await admin.createMerchant({ body })).body);
}

type Rotation = Parameters<OperatorClient["rotateMerchantKey"]>[0]["body"];
const rotate = async (id: string, body: Rotation, idempotencyKey?: string) =>
  agreed(
    second.client,
    (await admin.rotateMerchantKey({ params: { id }, body }, idempotencyKey ? { idempotencyKey } : {})).body,
  );
const liveOf = ({ keys }: Pick<MerchantWithKeys, "keys">, kind: string) =>
  keys.filter((key) => key.kind === kind).map(({ id }) => id);

async function works(token: string | null): Promise<boolean> {
  const headers = () => ({
    authorization: `Bearer ${token}`,
    ...(token?.startsWith("pk_") ? { origin: SHOP } : {}),
  });
  const client = createClient(merchantContract, { baseUrl: ORIGIN, fetch: broker.fetch, headers });
  try {
    await client.createSession({ body: { kind: "pay", amount: 1_000, origin: SHOP } });
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "unauthorized" });
    return false;
  }
}

function backendOf({ server_key: key }: MerchantWithKeys) {
  const headers = () => ({ authorization: `Bearer ${key}` });
  return createClient(merchantContract, { baseUrl: ORIGIN, fetch: broker.fetch, headers });
}

/** Sessions of each kind that one of its server keys has started. */
async function openSessions(merchant: MerchantWithKeys) {
  const backend = backendOf(merchant);
  const start = async (fields: { kind: "pay" | "recharge" | "quota"; [field: string]: unknown }) =>
    (await backend.createSession({ body: { origin: SHOP, ...fields } })).body.session;
  return {
    pay: broker.widget(await start({ kind: "pay", amount: 1_000 })),
    till: broker.till(await start({ kind: "recharge", max_amount: 1_000, till: v7() })),
    quota: broker.quotaPage(await start({ kind: "quota", user: broker.ana.id })),
  };
}

const secretsOf = (id: string) =>
  openWebhookSecrets(broker.sql, createSealer(broker.options.key, broker.options.random), id);

describe("rotating a key", () => {
  it.each([
    ["server", "server_key"],
    ["publishable", "publishable_key"],
  ] as const)(
    "of kind %s keeps both live until the old one is ended, which is refused at once",
    async (kind, field) => {
      const merchant = await aMerchant();
      const [old = ""] = liveOf(merchant, kind);
      const second = await rotate(merchant.id, { kind });
      expect(liveOf(second, kind)).toEqual([old, expect.any(String)]);
      expect([await works(merchant[field]), await works(second[field])]).toEqual([true, true]);
      await expect(rotate(merchant.id, { kind })).rejects.toMatchObject({ code: "merchant_key_limit" });
      const finished = await rotate(merchant.id, { kind, retire: [old], new_key: false });
      expect([finished[field], liveOf(finished, kind)]).toEqual([null, [liveOf(second, kind)[1]]]);
      expect([await works(merchant[field]), await works(second[field])]).toEqual([false, true]);
    },
  );

  it("replaces one that became known in one step, both where there are two", async () => {
    const merchant = await aMerchant();
    const second = await rotate(merchant.id, { kind: "server" });
    const third = await rotate(merchant.id, { kind: "server", retire: liveOf(second, "server") });
    expect(liveOf(third, "server")).toHaveLength(1);
    const keys = [merchant, second, third].map(({ server_key: key }) => works(key));
    expect(await Promise.all(keys)).toEqual([false, false, true]);
  });

  it("of a server ends what may sell or show a person, whichever key started it, and leaves payments", async () => {
    const allowed = { first_party: true, sells_top_ups: true };
    const merchant = await aMerchant(allowed);
    const untouched = await openSessions(await aMerchant(allowed));
    const second = await rotate(merchant.id, { kind: "server" });
    await rotate(merchant.id, { kind: "publishable", retire: liveOf(merchant, "publishable") });
    const opened = [await openSessions(merchant), await openSessions(second)];
    const sales = await Promise.all(
      opened.map(async ({ till }) => {
        const { handle } = (await till.lookUp({ body: { phone: broker.ben.phone } })).body;
        return () => till.createRecharge({ body: { handle, amount: 1_000 } }, { idempotencyKey: v7() });
      }),
    );
    const before = await topUpsSent(broker);
    await rotate(merchant.id, { kind: "server", retire: liveOf(merchant, "server"), new_key: false });
    for (const attempt of [
      ...sales,
      ...opened.map(
        ({ quota }) =>
          () =>
            quota.widgetSession({}),
      ),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: "unauthorized" });
    }
    expect(await topUpsSent(broker)).toBe(before);
    for (const { pay } of opened) expect((await pay.widgetSession({})).body.state).toBe("unpaid");
    const { till, quota } = await openSessions(second);
    for (const page of [till, quota, untouched.till, untouched.quota]) {
      expect((await page.widgetSession({})).status).toBe(200);
    }
  });

  it("of a server leaves no till that was being started with it", async () => {
    const merchant = await aMerchant({ sells_top_ups: true });
    let started: Promise<unknown> = Promise.resolve();
    await broker.sql.begin(async (tx) => {
      await retireKeys(tx, merchant.id, "server", { ids: liveOf(merchant, "server"), now: broker.options.clock() });
      const body = { kind: "recharge" as const, origin: SHOP, max_amount: 1_000 };
      started = backendOf(merchant)
        .createSession({ body })
        .catch((error: unknown) => error);
      await expect
        .poll(async () => {
          const waiting = await broker.sql`select from pg_stat_activity where wait_event_type = 'Lock'
            and datname = current_database() and query like '%broker.merchant_keys%for share%'`;
          return waiting.length;
        })
        .toBe(1);
    });
    expect(await started).toMatchObject({ code: "unauthorized" });
  });

  it("of a webhook signs with both secrets until the old one is ended", async () => {
    const merchant = await aMerchant();
    const second = await rotate(merchant.id, { kind: "webhook" });
    expect(await secretsOf(merchant.id)).toEqual([merchant.webhook_secret, second.webhook_secret]);
    await rotate(merchant.id, { kind: "webhook", retire: liveOf(merchant, "webhook"), new_key: false });
    expect(await secretsOf(merchant.id)).toEqual([second.webhook_secret]);
  });

  it("never leaves three live keys, nor none, also when asked for several times at once", async () => {
    const { id } = await aMerchant();
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => rotate(id, { kind: "server" })));
    const refused = results.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(3);
    for (const { reason } of refused as PromiseRejectedResult[]) expect(reason.code).toBe("merchant_key_limit");
    const [merchant] = (await admin.merchants({ query: { limit: "1" } })).body;
    const both = liveOf(merchant ?? { keys: [] }, "server");
    expect(both).toHaveLength(2);
    const end = (key: string) => rotate(id, { kind: "server", retire: [key], new_key: false });
    const ended = await Promise.allSettled(both.map(end));
    expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const [reason] = ended.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    expect(reason.code).toBe("last_merchant_key");
  });

  it("makes one key for copies of a request, and a copy's answer has none", async () => {
    const { id } = await aMerchant();
    const key = v7();
    const first = await rotate(id, { kind: "server" }, key);
    expect(await rotate(id, { kind: "server" }, key)).toEqual({ ...first, server_key: null });
    const refused = v7();
    const limit = { code: "merchant_key_limit" };
    await expect(rotate(id, { kind: "server" }, refused)).rejects.toMatchObject(limit);
    await rotate(id, { kind: "server", retire: liveOf(first, "server").slice(0, 1), new_key: false });
    // There is room now, but a refusal that was decided is the answer to copies of its request.
    await expect(rotate(id, { kind: "server" }, refused)).rejects.toMatchObject(limit);
    const other = await aMerchant();
    await expect(rotate(other.id, { kind: "server" }, key)).rejects.toMatchObject({ code: "idempotency_key_reused" });
  });

  it("is refused in the order of the row", async () => {
    const merchant = await aMerchant();
    const { id } = merchant;
    const [server = "", publishable = ""] = [...liveOf(merchant, "server"), ...liveOf(merchant, "publishable")];
    const code = (expected: string) => expect.objectContaining({ code: expected });
    const unknown = { kind: "server" as const, retire: ["00000000"], new_key: false };
    await expect(rotate(v7(), unknown)).rejects.toEqual(code("merchant_not_found"));
    await expect(rotate(id, { ...unknown, retire: [server, publishable] })).rejects.toMatchObject({
      code: "merchant_key_not_found",
      faults: [{ pointer: "/retire/1" }],
    });
    await expect(rotate(id, { ...unknown, retire: [server] })).rejects.toEqual(code("last_merchant_key"));
    await expect(rotate(id, { kind: "server", new_key: false })).rejects.toEqual(code("invalid_request"));
    await admin.disableMerchant({ params: { id } });
    await expect(rotate(id, unknown)).rejects.toEqual(code("merchant_disabled"));
  });
});

describe("disabling a merchant", () => {
  it("refuses its keys and the sessions of its pages at once, for good", async () => {
    const merchant = await aMerchant();
    const headers = () => ({ authorization: `Bearer ${merchant.server_key}` });
    const client = createClient(merchantContract, { baseUrl: ORIGIN, fetch: broker.fetch, headers });
    const { session } = (await client.createSession({ body: { kind: "pay", amount: 1_000, origin: SHOP } })).body;
    const params = { id: merchant.id };
    const { disabled_at: since, keys } = (await admin.disableMerchant({ params })).body;
    expect(keys).toEqual([]);
    expect([await works(merchant.server_key), await works(merchant.publishable_key)]).toEqual([false, false]);
    await expect(broker.widget(session).widgetSession({})).rejects.toMatchObject({ code: "unauthorized" });
    broker.advance(10);
    expect((await admin.disableMerchant({ params })).body.disabled_at).toBe(since);
    await expect(admin.disableMerchant({ params: { id: v7() } })).rejects.toMatchObject({ code: "merchant_not_found" });
  });
});

describe("secrets", () => {
  it("are nowhere in the database or its audit, which has a record of each change", async () => {
    const merchant = await aMerchant();
    const { id } = merchant;
    const second = await rotate(id, { kind: "server" }, v7());
    const third = await rotate(id, { kind: "webhook" }, v7());
    await admin.changeMerchant({ params: { id }, body: { webhook_url: "https://tienda.example/?token=in-the-url" } });
    await admin.disableMerchant({ params: { id } });
    const dump = await brokerDump(broker);
    const made = [merchant.server_key, merchant.publishable_key, merchant.webhook_secret];
    for (const secret of [...made, second.server_key, third.webhook_secret]) {
      const bare = secret?.replace(/^[a-z]+_/, "") ?? "";
      expect(bare.length).toBeGreaterThan(40);
      expect(dump).not.toContain(bare);
      expect(dump).not.toContain(Buffer.from(secret ?? "").toString("hex"));
      if (secret?.startsWith("whsec_")) expect(dump).not.toContain(Buffer.from(bare, "base64").toString("hex"));
    }
    const records = await broker.sql<{ action: string; facts: string; principal_kind: string }[]>`
      select action, facts, principal_kind from broker.audit_records where subject = ${id} order by id`;
    expect(records.map(({ action }) => action)).toEqual([
      "create merchant",
      "rotate merchant key",
      "rotate merchant key",
      "change merchant",
      "disable merchant",
    ]);
    expect(JSON.parse(records[0]?.facts ?? "")).toMatchObject({ user_id: broker.shop.id, open_amount_limit: "500000" });
    expect(JSON.parse(records[1]?.facts ?? "")).toEqual({ kind: "server", retire: "", new_key: true });
    expect(JSON.parse(records[3]?.facts ?? "")).toEqual({ webhook: "tienda.example" });
    expect(JSON.stringify(records)).not.toContain("in-the-url");
  });
});
