import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../../../src/client.ts";
import { merchantContract } from "../../../../src/contract/broker/broker.ts";
import { asOperator } from "../../../../test/support/as-operator.ts";
import { aBroker, ORIGIN, type PersonClient, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";
import { createOpaqueToken, hashToken } from "../../access/opaque-token.ts";

const REFUSED = Object.freeze({
  code: "not_allowed",
  detail: "The grant is not one of this merchant's, or was taken back: send the user to the app to grant it again.",
});

let broker: TestBroker;
let ana: PersonClient;
let merchantId: string;
let other: Client<typeof merchantContract>;
let grant: string;
let code: string;

async function askAgain() {
  const { body } = await ana.createGrant({ body: { merchant_id: merchantId, proof: { demo: true } } });
  [grant, code] = [body.id, body.code];
  return body;
}

beforeAll(async () => {
  broker = await aBroker();
  ana = await broker.as("payer");
  const [merchant] = await broker.sql<{ id: string }[]>`select id from broker.merchants`;
  merchantId = merchant?.id ?? "";
  const body = { name: "Other shop", user_id: broker.ben.id, origins: [SHOP_ORIGIN] };
  const { server_key } = (await (await asOperator(broker)).createMerchant({ body })).body;
  const headers = () => ({ authorization: `Bearer ${server_key}` });
  other = createClient(merchantContract, { baseUrl: ORIGIN, fetch: broker.fetch, headers });
});
afterAll(() => broker.stop());
beforeEach(askAgain);

async function start(given: string, idempotencyKey?: string, merchant = broker.merchant) {
  const body = { kind: "quota" as const, grant: given, origin: SHOP_ORIGIN };
  return (await merchant.createSession({ body }, idempotencyKey === undefined ? {} : { idempotencyKey })).body;
}

describe("the code that comes back from the app", () => {
  it("is exchanged for the grant once; the grant's id works on, for the backend", async () => {
    expect(code).toMatch(/^gc_[\w-]{43}$/);
    const started = await start(code);
    expect(started.grant).toBe(grant);
    expect((await broker.quotaPage(started.session).widgetSession({})).body).toMatchObject({ name: "Ana Torres" });
    await expect(start(code)).rejects.toMatchObject(REFUSED);
    expect((await start(grant)).grant).toBe(grant);
    expect((await ana.myGrants({})).body).toMatchObject([{ id: grant, last_used_at: expect.any(String) }]);
  });

  it("is one session for twenty requests at once, and the same when a backend asks again with its key", async () => {
    const ended = await Promise.allSettled(Array.from({ length: 20 }, () => start(code, v7())));
    const refusals = ended.flatMap((end) => (end.status === "rejected" ? [end.reason as unknown] : []));
    expect(refusals).toHaveLength(19);
    for (const refusal of refusals) expect(refusal).toMatchObject(REFUSED);
    await askAgain();
    const key = v7();
    const answers = await Promise.all(Array.from({ length: 20 }, () => start(code, key)));
    expect(new Set(answers.map(({ session }) => session)).size).toBe(1);
    expect(await start(code, key)).toMatchObject({ session: answers[0]?.session, grant });
    await expect(start(code, v7())).rejects.toMatchObject(REFUSED);
    broker.advance(901);
    await expect(start(code, key)).rejects.toMatchObject(REFUSED);
  });

  it("lapses after five minutes", async () => {
    broker.advance(298);
    expect((await start(code)).grant).toBe(grant);
    const { code_expires_at } = await askAgain();
    expect(new Date(code_expires_at).getTime() - broker.options.clock().getTime()).toBeLessThanOrEqual(300_000);
    broker.advance(301);
    await expect(start(code)).rejects.toMatchObject(REFUSED);
    expect((await start(grant)).grant).toBe(grant);
  });

  it("is good at the merchant alone that the person allowed, and is not used up by another", async () => {
    await expect(start(code, undefined, other)).rejects.toMatchObject(REFUSED);
    await expect(start(grant, undefined, other)).rejects.toMatchObject(REFUSED);
    expect((await start(code)).grant).toBe(grant);
  });

  it("gives way to the next one of the same grant", async () => {
    const first = { grant, code };
    await askAgain();
    expect([grant === first.grant, code === first.code]).toEqual([true, false]);
    await expect(start(first.code)).rejects.toMatchObject(REFUSED);
    expect((await start(code)).grant).toBe(grant);
  });

  it("ends with its grant", async () => {
    await ana.revokeGrant({ params: { id: grant } });
    await expect(start(code)).rejects.toMatchObject(REFUSED);
  });

  it("is not used up by a request that starts no session", async () => {
    const key = v7();
    await start(grant, key);
    await expect(start(code, key)).rejects.toMatchObject({ code: "idempotency_key_reused" });
    expect((await start(code)).grant).toBe(grant);
  });

  it("of which two come with one key is used up once: the other starts nothing, and is good still", async () => {
    const ben = await broker.as("other");
    for (let round = 0; round < 8; round += 1) {
      await askAgain();
      const codes = [
        code,
        (await ben.createGrant({ body: { merchant_id: merchantId, proof: { demo: true } } })).body.code,
      ];
      const key = v7();
      const ended = await Promise.allSettled(codes.map((given) => start(given, key)));
      const good = codes.filter((_code, index) => ended[index]?.status === "rejected");
      expect(good).toHaveLength(1);
      expect(await start(good[0] ?? "")).toHaveProperty("grant");
    }
  });

  it("that is made up, or is no code at all, is refused in the same words", async () => {
    const texts = [createOpaqueToken("gc_", broker.options.random), v7(), "gc_short", "none", "' or 1=1 --"];
    for (const text of texts) await expect(start(text)).rejects.toMatchObject(REFUSED);
    await expect(start("x".repeat(101))).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("starts nothing by itself: a page with it needs the merchant's server key", async () => {
    const body = { kind: "quota" as const, grant: code, origin: SHOP_ORIGIN };
    for (const token of [code, broker.demo.merchantKeys.publishableKey]) {
      const response = await broker.fetch(`${ORIGIN}/v1/sessions`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, origin: SHOP_ORIGIN, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      expect([401, 403]).toContain(response.status);
    }
    expect((await start(code)).grant).toBe(grant);
  });

  it("is nowhere in the database", async () => {
    await start(code, v7());
    const used = code;
    await askAgain();
    const dump = await broker.sql<{ row: string }[]>`
      select g::text as row from broker.grants g union all select s::text from broker.widget_sessions s
      union all select a::text from broker.audit_records a`;
    const rows = dump.map(({ row }) => row).join("\n");
    expect(rows).toContain(Buffer.from(hashToken(code)).toString("hex"));
    for (const secret of [used, code].map((token) => token.slice(3))) {
      for (const form of [secret, Buffer.from(secret).toString("hex")]) expect(rows).not.toContain(form);
    }
  });
});
