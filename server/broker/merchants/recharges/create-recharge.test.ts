import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBroker, ORIGIN, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";
import { aUser } from "../../../../test/support/service.ts";
import { aTill, fundShop, topUpsSent } from "../../../../test/support/till.ts";
import { createOpaqueToken, hashToken } from "../../access/opaque-token.ts";

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
      name: "Ben R.",
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

  it("asked for again by another till of the merchant is told the same, also after its look-up expired", async () => {
    const one = await aTill(broker, { till: "caja a" });
    const [handle, key] = [await one.find(), v7()];
    const first = await one.sell(handle, 1_000, key);
    const before = await sent();
    const other = await aTill(broker, { till: "caja b" });
    expect((await other.sell(handle, 1_000, key)).body).toEqual(first.body);
    broker.advance(301);
    expect((await other.sell(handle, 1_000, key)).body).toMatchObject({ state: "approved", till: "caja a" });
    await expect(other.sell(await other.find(), 1_000, key)).rejects.toMatchObject({ code: "idempotency_key_reused" });
    expect(await sent()).toBe(before);
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
    expect(body).toMatchObject({ state: "rejected", name: "Rico P." });
    expect(body.reason).toBeUndefined();
    const [kept] = await broker.service.sql`select reason from service.transactions where to_user_id = ${full.id}`;
    expect(kept?.reason).toBe("balance_limit");
  });

  it("is never for the point that sells", async () => {
    const till = await aTill(broker);
    await expect(till.find(broker.shop.phone)).rejects.toMatchObject({ code: "not_allowed" });
    const handle = await till.find();
    await broker.sql`update broker.look_ups set user_id = ${broker.shop.id} where handle_hash = ${hashToken(handle)}`;
    await expect(till.sell(handle, 1_000)).rejects.toMatchObject({ code: "not_allowed" });
  });

  it("finer than a cent is refused", async () => {
    const till = await aTill(broker);
    await expect(till.sell(await till.find(), 1.001)).rejects.toMatchObject({ code: "invalid_request" });
  });
});

describe("a sale that is refused", () => {
  /** Sells with a key that was refused with that code, by the till and by its next session; answers the refusals. */
  async function soldAgain(sell: () => Promise<unknown>) {
    const before = await sent();
    const refusals = [await sell().catch((error: unknown) => error), await sell().catch((error: unknown) => error)];
    expect(await sent()).toBe(before);
    return refusals;
  }

  it("over what the session may sell stays refused when there is room again", async () => {
    const till = await aTill(broker, { max_total: 50_000 });
    const [handle, key] = [await till.find(), v7()];
    const { body: other } = await till.sell(handle, 30_000);
    const refusal = await till.sell(handle, 30_000, key).catch((error: unknown) => error);
    const exceeded = { name: "session_limit", amount: 50_000, left: 20_000, until: null };
    expect(refusal).toMatchObject({ code: "limit_exceeded", exceededLimit: exceeded });
    await broker.sql`update broker.recharges set state = 'rejected' where id = ${other.id}`;
    for (const again of await soldAgain(() => till.sell(handle, 30_000, key)))
      expect(again).toMatchObject({ code: "limit_exceeded", exceededLimit: exceeded });
    await expect(till.sell(handle, 20_000, key)).rejects.toMatchObject({ code: "idempotency_key_reused" });
    expect((await till.sell(handle, 30_000)).body.state).toBe("approved");
  });

  it("by one till stays refused when a copy comes from the till that looked the person up", async () => {
    const [one, other, key] = [await aTill(broker), await aTill(broker), v7()];
    const handle = await one.find();
    await expect(other.sell(handle, 1_000, key)).rejects.toMatchObject({ code: "look_up_expired" });
    for (const again of await soldAgain(() => one.sell(handle, 1_000, key)))
      expect(again).toMatchObject({ code: "look_up_expired" });
    expect((await one.sell(handle, 1_000)).body.state).toBe("approved");
  });

  it("while twenty copies of it come at once is either sold once or refused to all", async () => {
    const [one, other, key, before] = [await aTill(broker), await aTill(broker), v7(), await sent()];
    const handle = await one.find();
    const copies = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : other).sell(handle, 1_000, key));
    const told = await Promise.allSettled(copies);
    const outcomes = told.map((copy) => (copy.status === "fulfilled" ? copy.value.body.id : copy.reason.code));
    expect(new Set(outcomes).size).toBe(1);
    expect((await sent()) - before).toBe(outcomes[0] === "look_up_expired" ? 0 : 1);
  });

  it("is forgotten with its look-up, without which nothing is sold", async () => {
    const till = await aTill(broker, { max_amount: 1_000 });
    const [handle, key] = [await till.find(), v7()];
    await expect(till.sell(handle, 2_000, key)).rejects.toMatchObject({ code: "limit_exceeded" });
    await broker.sql`delete from broker.look_ups where handle_hash = ${hashToken(handle)}`;
    expect(await broker.sql`select from broker.refused_recharges where attempt_key = ${key}`).toHaveLength(0);
    await expect(till.sell(handle, 2_000, key)).rejects.toMatchObject({ code: "not_found" });
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
    ["made up", "not_found", async () => createOpaqueToken("lu_", broker.options.random)],
    ["of another merchant's till", "not_found", async () => (await (await otherTill()).lookUp(ben())).body.handle],
    ["of another till of the merchant", "look_up_expired", async () => (await aTill(broker)).find()],
    ["of a person", "not_found", async () => (await (await broker.as("payer")).lookUp(ben())).body.handle],
  ])("%s sells nothing: %s", async (_name, code, handleOf) => {
    const [till, before] = [await aTill(broker), await sent()];
    await expect(till.sell(await handleOf(), 1_000)).rejects.toMatchObject({ code });
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
