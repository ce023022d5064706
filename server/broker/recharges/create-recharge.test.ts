import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBroker, ORIGIN, SHOP_ORIGIN, type TestBroker } from "../../../test/support/broker.ts";
import { aUser } from "../../../test/support/service.ts";
import { aTill, fundShop, topUpsSent } from "../../../test/support/till.ts";
import { createOpaqueToken, hashToken } from "../principals/opaque-token.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await aBroker({ wait: async () => undefined });
  await fundShop(broker);
});
afterAll(() => broker.stop());

async function quotaOf(id: string): Promise<number> {
  return (await broker.entity.client.user({ query: { id } })).body.quota_available ?? 0;
}

const sent = () => topUpsSent(broker);

/** A till of another merchant, whose user is Ana, at an origin of its own. */
async function otherTill() {
  const [merchant, session, token] = [v7(), v7(), createOpaqueToken("ws_", broker.options.random)];
  const [at, soon] = [broker.options.clock(), new Date(broker.options.clock().getTime() + 900_000)];
  await broker.sql`insert into broker.merchants (id, user_id, name, sells_top_ups, created_at)
    values (${merchant}, ${broker.ana.id}, 'Other shop', true, ${at})`;
  await broker.sql`insert into broker.merchant_origins (merchant_id, origin) values (${merchant}, ${SHOP_ORIGIN})`;
  await broker.sql`
    insert into broker.widget_sessions (id, token_hash, nonce, merchant_id, kind, origin, generation, fingerprint,
      expires_at, shown_until, created_at)
    values (${session}, ${hashToken(token)}, ${new Uint8Array(32)}, ${merchant}, 'recharge', ${SHOP_ORIGIN}, 1,
      ${new Uint8Array(32)}, ${soon}, ${soon}, ${at})`;
  return broker.till(token);
}

describe("a top-up", () => {
  it("goes from the merchant's own user to the person found, who is named by a mask alone", async () => {
    const till = await aTill(broker, { till: "caja 1" });
    const [seller, receiver] = [await quotaOf(broker.shop.id), await quotaOf(broker.ben.id)];
    const { status, body } = await till.sell(await till.find(), 20_000);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      state: "approved",
      name: "B••• Ru•••",
      amount: 20_000,
      currency: "COP",
      till: "caja 1",
    });
    expect(body.reference).toMatch(/^[0-9A-Z]{13}$/);
    expect(JSON.stringify(body)).not.toContain(broker.ben.id);
    expect(await quotaOf(broker.shop.id)).toBe(seller - 20_000);
    expect(await quotaOf(broker.ben.id)).toBe(receiver + 20_000);
    const rows = await broker.sql`select outcome from broker.audit_records where subject = ${body.id} order by id`;
    expect(rows.map(({ outcome }) => outcome)).toEqual(["running", "approved"]);
  });

  it("needs an idempotency key, and says so by the header's name", async () => {
    const till = await aTill(broker);
    const refusal: unknown = await till
      .createRecharge({ body: { handle: await till.find(), amount: 1_000 } })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "invalid_request", faults: [{ parameter: "Idempotency-Key" }] });
  });

  it("sold by a double click, or twenty, is one", async () => {
    const till = await aTill(broker);
    const [handle, key, before] = [await till.find(), v7(), await sent()];
    const answers = await Promise.all(Array.from({ length: 20 }, () => till.sell(handle, 1_000, key)));
    expect(new Set(answers.map(({ body }) => `${body.id} ${body.state} ${body.reference}`)).size).toBe(1);
    expect(answers[0]?.body.state).toBe("approved");
    expect(await sent()).toBe(before + 1);
  });

  it("asked for again is told the same by the till's next session, handle and first session being over", async () => {
    const name = v7();
    const till = await aTill(broker, { till: name });
    const [handle, key] = [await till.find(), v7()];
    const first = await till.sell(handle, 1_000, key);
    const before = await sent();
    broker.advance(901);
    const renewed = await aTill(broker, { till: name });
    expect((await renewed.sell(handle, 1_000, key)).body).toEqual(first.body);
    const response = await broker.fetch(`${ORIGIN}/v1/recharges`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${renewed.session}`,
        "content-type": "application/json",
        "idempotency-key": key,
      },
      body: JSON.stringify({ handle, amount: 1_000 }),
    });
    expect(response.headers.get("idempotent-replayed")).toBe("true");
    await expect(renewed.sell(handle, 2_000, key)).rejects.toMatchObject({ code: "idempotency_key_reused" });
    expect(await sent()).toBe(before);
  });

  it("under a key that another till used is another sale", async () => {
    const [one, two, key] = [await aTill(broker), await aTill(broker), v7()];
    const answers = [await one.sell(await one.find(), 1_000, key), await two.sell(await two.find(), 1_000, key)];
    expect(answers[0]?.body.id).not.toBe(answers[1]?.body.id);
  });

  it("that the seller's balance does not cover is rejected with the seller's own reason", async () => {
    const till = await aTill(broker);
    const { body } = await till.sell(await till.find(), 900_000_000);
    expect(body).toMatchObject({ state: "rejected", reason: "insufficient_balance" });
    expect((await till.shown()).sold_today).toEqual({ count: 0, amount: 0 });
  });

  it("that the receiver's account cannot take is rejected without a word on why", async () => {
    const full = await aUser(broker.entity, { name: "Rico Pérez", quota: 9_999_999_999_999.99 });
    const till = await aTill(broker);
    const { body } = await till.sell(await till.find(full.phone), 0.01);
    expect(body).toMatchObject({ state: "rejected", name: "Ri••• Pé•••" });
    expect(body.reason).toBeUndefined();
    const [kept] = await broker.service.sql`select reason from service.transactions where to_user_id = ${full.id}`;
    expect(kept?.reason).toBe("balance_limit");
  });

  it("is never for the point that sells", async () => {
    const till = await aTill(broker);
    const sale = till.sell(await till.find(broker.shop.phone), 1_000);
    await expect(sale).rejects.toMatchObject({ code: "not_allowed" });
  });

  it("finer than a cent is refused", async () => {
    const till = await aTill(broker);
    await expect(till.sell(await till.find(), 1.001)).rejects.toMatchObject({ code: "invalid_request" });
  });
});

describe("a session", () => {
  it("tries sixty sales a minute, and those past that leave nothing that is kept for ever", async () => {
    const name = v7();
    const till = await aTill(broker, { till: name, max_amount: 1_000 });
    const handle = await till.find();
    const tries = Array.from({ length: 150 }, () => till.sell(handle, 2_000).catch((error: unknown) => error));
    const codes = (await Promise.all(tries)).map((refusal) => (refusal as { code?: string }).code);
    const refused = codes.filter((code) => code === "limit_exceeded");
    const over = codes.filter((code) => code === "too_many_requests");
    // One more for each second that the machine takes.
    expect(refused.length).toBeGreaterThanOrEqual(60);
    expect(refused.length).toBeLessThan(90);
    expect(refused.length + over.length).toBe(150);
    const kept = await broker.sql`
      select from broker.audit_records where action = 'sell recharge' and principal_id = ${till.id}`;
    expect(kept).toHaveLength(refused.length);
    const other = await aTill(broker, { till: name });
    expect((await other.sell(handle, 1_000)).body.state).toBe("approved");
    broker.advance(10);
    expect((await till.sell(handle, 1_000)).body.state).toBe("approved");
  });
});

describe("a handle", () => {
  it.each([
    ["made up", async () => createOpaqueToken("lu_", broker.options.random)],
    ["of another merchant's till", async () => (await (await otherTill()).lookUp(ben())).body.handle],
    ["of another till of the merchant", async () => (await aTill(broker)).find()],
    ["of a person", async () => (await (await broker.as("payer")).lookUp(ben())).body.handle],
  ])("%s sells nothing", async (_name, handleOf) => {
    const [till, before] = [await aTill(broker), await sent()];
    await expect(till.sell(await handleOf(), 1_000)).rejects.toMatchObject({ code: "look_up_expired" });
    expect(await sent()).toBe(before);
  });

  const ben = () => ({ body: { phone: broker.ben.phone } });

  it("is good for five minutes, and for the next session of its till", async () => {
    const name = v7();
    const till = await aTill(broker, { till: name });
    const handle = await till.find();
    broker.advance(290);
    expect((await (await aTill(broker, { till: name })).sell(handle, 1_000)).body.state).toBe("approved");
    broker.advance(11);
    await expect(till.sell(handle, 1_000)).rejects.toMatchObject({ code: "look_up_expired" });
  });

  it("that led to a sale leaves the till one look-up more", async () => {
    const name = v7();
    const till = await aTill(broker, { till: name });
    await till.sell(await till.find(), 1_000);
    await till.find();
    const rows = await broker.sql`
      select sold_at is not null as sold from broker.look_ups where asker like ${`%${name}`} order by asked_at`;
    expect(rows.map(({ sold }) => sold)).toEqual([true, false]);
  });
});
