import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BrokerContract } from "../../../../src/contract/broker/broker.ts";
import type { BodyOf } from "../../../../src/contract/shared/operation.ts";
import { aBroker, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";
import { setPowers } from "../../../../test/support/set-powers.ts";

type Body = BodyOf<BrokerContract["createSession"]>;

let broker: TestBroker;
beforeAll(async () => {
  broker = await aBroker();
});
afterAll(() => broker.stop());

function start(fields: Partial<Body>, idempotencyKey?: string) {
  const limits = (fields.kind ?? "recharge") === "recharge" ? { max_amount: 50_000 } : {};
  const body: Body = { kind: "recharge", origin: SHOP_ORIGIN, ...limits, ...fields };
  return broker.merchant.createSession({ body }, idempotencyKey === undefined ? {} : { idempotencyKey });
}

async function statusOf(session_id: string) {
  return (await broker.merchant.sessionStatus({ params: { session_id } })).body;
}

async function aGrant(userId: string): Promise<string> {
  const id = v7();
  await broker.sql`
    insert into broker.grants (id, user_id, merchant_id, created_at, lapses_at)
    select ${id}, ${userId}, id, now(), now() + interval '90 days' from broker.merchants`;
  return id;
}

/** Takes the first-party power and all grants of other tests away. */
async function asThirdParty(): Promise<void> {
  await setPowers(broker, { firstParty: false });
  await broker.sql`update broker.grants set revoked_at = created_at where revoked_at is null`;
}

describe("a session of a till", () => {
  it("lasts fifteen minutes, makes no code, and tells its merchant that it is open and then expired", async () => {
    broker.asked.length = 0;
    const { body } = await start({ max_amount: 50_000, max_total: 200_000, till: "caja 1" });
    expect(body).toMatchObject({ expires_in: 900 });
    expect(body.reference).toBeUndefined();
    expect(broker.asked).toEqual([]);
    expect(await statusOf(body.session_id)).toMatchObject({ kind: "recharge", state: "open", currency: "COP" });
    broker.advance(901);
    expect((await statusOf(body.session_id)).state).toBe("expired");
  });

  it("is a new one each time, and with a key the same while it lives", async () => {
    const [one, two] = [await start({ till: "caja 1" }), await start({ till: "caja 1" })];
    expect(one.body.session).not.toBe(two.body.session);
    const key = v7();
    const answers = await Promise.all(Array.from({ length: 10 }, () => start({ till: "caja 1" }, key)));
    expect(new Set(answers.map(({ body }) => body.session)).size).toBe(1);
    broker.advance(100);
    const again = await start({ till: "caja 1" }, key);
    expect(again.body.session).toBe(answers[0]?.body.session);
    expect(again.body.expires_in).toBeLessThanOrEqual(800);
    await expect(start({ till: "caja 2" }, key)).rejects.toMatchObject({ code: "idempotency_key_reused" });
    const other = start({ kind: "pay", amount: 25_000 }, key);
    await expect(other).rejects.toMatchObject({ code: "idempotency_key_reused" });
    broker.advance(801);
    expect((await start({ till: "caja 1" }, key)).body.session).not.toBe(again.body.session);
  });

  it("ended by its merchant is cancelled at once, and a key starts another", async () => {
    const key = v7();
    const { body } = await start({ till: "caja 1" }, key);
    const params = { session_id: body.session_id };
    expect((await broker.merchant.cancelSession({ params })).body.state).toBe("cancelled");
    expect((await broker.merchant.cancelSession({ params })).body.state).toBe("cancelled");
    expect((await start({ till: "caja 1" }, key)).body.session).not.toBe(body.session);
    await expect(broker.till(body.session).lookUp({ body: { phone: "300" } })).rejects.toMatchObject({
      code: "unauthorized",
    });
  });

  it("that is over is not ended once more", async () => {
    const { body } = await start({});
    broker.advance(901);
    const ended = await broker.merchant.cancelSession({ params: { session_id: body.session_id } });
    expect(ended.body.state).toBe("expired");
  });
});

describe("a session of a user's quota", () => {
  it("is any user's for a first-party merchant, and nobody's for an id that nobody has", async () => {
    await asThirdParty();
    await setPowers(broker, { firstParty: true });
    const { body } = await start({ kind: "quota", user: broker.ana.id.toUpperCase() });
    expect(body).toMatchObject({ expires_in: 900 });
    expect(await statusOf(body.session_id)).toMatchObject({ kind: "quota", state: "open" });
    await expect(start({ kind: "quota", user: v7() })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("needs the user's grant for any other merchant, and says the same of everybody who has given none", async () => {
    await asThirdParty();
    const refusals = await Promise.all(
      [broker.ana.id, v7()].map((user) => start({ kind: "quota", user }).catch((error: unknown) => error)),
    );
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({
        code: "not_allowed",
        detail: "The user has not granted this merchant the sight of the quota: send the user to the app to grant it.",
      });
    }
    await aGrant(broker.ben.id);
    await expect(start({ kind: "quota", user: broker.ana.id })).rejects.toMatchObject({ code: "not_allowed" });
  });

  it("comes of the grant by the user's id or by its own, and the grant remembers when", async () => {
    await asThirdParty();
    const grant = await aGrant(broker.ana.id);
    const sessions = [await start({ kind: "quota", user: broker.ana.id }), await start({ kind: "quota", grant })];
    const rows = await broker.sql<{ subject_user_id: string; grant_id: string }[]>`
      select subject_user_id, grant_id from broker.widget_sessions
      where id = any(${sessions.map(({ body }) => body.session_id)})`;
    expect(rows.map((row) => ({ ...row }))).toEqual(Array(2).fill({ subject_user_id: broker.ana.id, grant_id: grant }));
    const [used] = await broker.sql`select from broker.grants where id = ${grant} and last_used_at is not null`;
    expect(used).toBeDefined();
  });

  it("ends with the grant that it came of: told as cancelled, not given again, and no new one starts", async () => {
    await asThirdParty();
    const grant = await aGrant(broker.ana.id);
    const key = v7();
    const { body } = await start({ kind: "quota", grant }, key);
    await broker.sql`update broker.grants set revoked_at = ${new Date()} where id = ${grant}`;
    expect((await statusOf(body.session_id)).state).toBe("cancelled");
    await expect(broker.quotaPage(body.session).widgetSession({})).rejects.toMatchObject({ code: "unauthorized" });
    await expect(start({ kind: "quota", grant }, key)).rejects.toMatchObject({ code: "not_allowed" });
  });

  it("does not come of another merchant's grant", async () => {
    await asThirdParty();
    const [other, grant] = [v7(), v7()];
    await broker.sql`insert into broker.merchants (id, user_id, name, created_at, disabled_at)
      values (${other}, ${broker.ben.id}, 'Other shop', ${new Date()}, ${new Date()})`;
    await broker.sql`insert into broker.grants (id, user_id, merchant_id, created_at, lapses_at)
      values (${grant}, ${broker.ana.id}, ${other}, now(), now() + interval '90 days')`;
    await expect(start({ kind: "quota", grant })).rejects.toMatchObject({ code: "not_allowed" });
    await broker.sql`delete from broker.grants where id = ${grant}`;
    await broker.sql`delete from broker.merchants where id = ${other}`;
  });
});

describe("a session that is asked for with", () => {
  it.each<[string, Partial<Body>, string]>([
    ["a limit for all below that for one", { max_amount: 10, max_total: 9 }, "/max_total"],
    ["a till without a limit", { max_amount: undefined, till: "caja 1" }, "/max_amount"],
    ["a limit finer than a cent", { max_amount: 1.001 }, "/max_amount"],
    ["a till's amount", { amount: 5 }, "/amount"],
    ["a till's user", { user: v7() }, "/user"],
    ["a till's time", { expires_in: 60 }, "/expires_in"],
    ["a quota of nobody", { kind: "quota" }, "/user"],
    ["a quota of user and grant", { kind: "quota", user: v7(), grant: v7() }, "/grant"],
    ["a quota's till", { kind: "quota", user: v7(), till: "caja 1" }, "/till"],
    ["a payment's till", { kind: "pay", amount: 5, till: "caja 1" }, "/till"],
    ["a payment's grant", { kind: "pay", amount: 5, grant: v7() }, "/grant"],
  ])("%s is refused, and the fault names the field", async (_name, fields, pointer) => {
    const refusal: unknown = await start(fields).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "invalid_request", faults: [{ pointer }] });
  });

  it("either of a till's two limits is not refused", async () => {
    const limits = [{ max_total: 9, max_amount: undefined }, { max_amount: 9 }];
    for (const fields of limits) expect((await start(fields)).status).toBe(201);
  });
});
