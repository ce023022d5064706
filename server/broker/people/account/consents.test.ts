import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBroker, ORIGIN, type PersonClient, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";

let broker: TestBroker;
let ana: PersonClient;
let merchantId: string;
beforeAll(async () => {
  broker = await aBroker();
  ana = await broker.as("payer");
  const [merchant] = await broker.sql<{ id: string }[]>`select id from broker.merchants`;
  merchantId = merchant?.id ?? "";
});
afterAll(() => broker.stop());

const ask = (returnTo?: string) =>
  ana.grantRequest({
    query: { merchant: merchantId, ...(returnTo === undefined ? {} : { "return-to": returnTo }) },
  });

describe("who asks to see a person's quota", () => {
  it("is named with its pages, and goes back to those only", async () => {
    const { body } = await ask(`${SHOP_ORIGIN}/account?customer=7`);
    expect(body).toMatchObject({ merchant: "Café La Esquina", return_to: `${SHOP_ORIGIN}/account?customer=7` });
    expect(body.origins).toEqual([ORIGIN, SHOP_ORIGIN].sort());
    expect(body.grant).toBeNull();
  });

  it.each([
    "https://shop.example.evil.test/",
    "https://shop.example@evil.test/",
    "https://user:secret@shop.example/",
    "http://shop.example/",
    `blob:${SHOP_ORIGIN}/0b1f`,
    "data:text/html,https://shop.example/",
    "javascript:alert(1)",
    "//evil.test",
    "/account",
  ])("does not go back to %s", async (returnTo) => {
    expect((await ask(returnTo)).body.return_to).toBeUndefined();
  });

  it("is nobody when it is disabled", async () => {
    await broker.sql`update broker.merchants set disabled_at = now() where id = ${merchantId}`;
    await expect(ask()).rejects.toMatchObject({ code: "merchant_not_found" });
    const body = { merchant_id: merchantId, proof: { demo: true } } as const;
    await expect(ana.createGrant({ body })).rejects.toMatchObject({ code: "merchant_not_found" });
    await broker.sql`update broker.merchants set disabled_at = null where id = ${merchantId}`;
  });
});

describe("a grant", () => {
  it("asked for twenty times at once is one", async () => {
    const body = { merchant_id: merchantId, proof: { demo: true } } as const;
    const answers = await Promise.all(Array.from({ length: 20 }, () => ana.createGrant({ body })));
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect((await ana.myGrants({})).body).toMatchObject([{ merchant: "Café La Esquina", last_used_at: null }]);
    expect((await ask()).body.grant?.id).toBe(answers[0]?.body.id);
  });

  it("is taken back once and for all, and another one is another", async () => {
    const [first] = (await ana.myGrants({})).body;
    const params = { id: first?.id ?? "" };
    await ana.revokeGrant({ params });
    await ana.revokeGrant({ params });
    expect((await ana.myGrants({})).body).toEqual([]);
    const { body } = await ana.createGrant({ body: { merchant_id: merchantId, proof: { demo: true } } });
    expect(body.id).not.toBe(params.id);
  });

  it("is not another person's to take back", async () => {
    const [grant] = (await ana.myGrants({})).body;
    const ben = await broker.as("other");
    await expect(ben.revokeGrant({ params: { id: grant?.id ?? "" } })).rejects.toMatchObject({ code: "not_found" });
    expect((await ana.myGrants({})).body).toHaveLength(1);
  });

  it("given, given again and taken back is in the audit", async () => {
    const rows = await broker.sql<{ did: string }[]>`
      select distinct action || ': ' || outcome as did from broker.audit_records where action like '%grant%'`;
    const all = ["grant quota: granted", "grant quota: granted before", "revoke grant: revoked"];
    expect(rows.map(({ did }) => did).sort()).toEqual(all);
  });
});
