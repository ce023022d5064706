import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../../../src/client.ts";
import { type Recharge, widgetContract } from "../../../../src/contract/broker/broker.ts";
import { aBroker, ORIGIN, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";
import { bogota } from "../../../../test/support/business-days.ts";
import { aUser } from "../../../../test/support/service.ts";
import { fundShop } from "../../../../test/support/till.ts";
import { type Broker, createBroker } from "../../create-broker.ts";

/** The fate of calls that sell, on the way from the broker to the service and back. */
type Fate = "passes" | "is lost" | "loses its answer";

let broker: TestBroker;
/** Another process of the broker, on the same database, whose network a test may break. */
let frail: Broker;
let network: Server;
let fate: Fate = "passes";
/** True if lists come one payment a page, as if a merchant had sold five hundred times as much. */
let onePerPage = false;
/** Lists of payments that were asked for. */
let listsAsked = 0;

async function aFrailNetwork(target: string): Promise<Server> {
  const server = createServer(async (incoming, response) => {
    const { url = "", method = "GET", headers } = incoming;
    const body = await text(incoming);
    const sells = url === "/create-recharge-transaction";
    if (sells && fate === "is lost") return response.destroy();
    const passed = ["authorization", "content-type", "idempotency-key"].flatMap((name) => {
      const value = headers[name];
      return typeof value === "string" ? [[name, value] as [string, string]] : [];
    });
    const init = { method, headers: passed, ...(method === "GET" ? {} : { body }) };
    if (url.startsWith("/transaction-history")) listsAsked += 1;
    const answer = await fetch(target + (onePerPage ? url.replace("limit=500", "limit=1") : url), init);
    if (sells && fate === "loses its answer") return response.destroy();
    const link = answer.headers.get("link");
    const answered = { "content-type": "application/json", ...(link === null ? {} : { link }) };
    response.writeHead(answer.status, answered).end(await answer.text());
    return response;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

beforeAll(async () => {
  broker = await aBroker({ wait: async () => undefined });
  await fundShop(broker);
  const { upstream } = broker.options;
  network = await aFrailNetwork(upstream.baseUrl);
  const baseUrl = `http://127.0.0.1:${(network.address() as AddressInfo).port}`;
  frail = createBroker({ ...broker.options, upstream: { ...upstream, baseUrl } });
});
afterAll(async () => {
  await frail.close();
  network.close();
  network.closeAllConnections();
  await broker.stop();
});

async function aTill(till: string = v7(), max_total = 100_000) {
  const body = { kind: "recharge" as const, origin: SHOP_ORIGIN, till, max_total };
  const { session } = (await broker.merchant.createSession({ body })).body;
  const pageOf = ({ app }: Pick<Broker, "app">) =>
    createClient(widgetContract, {
      baseUrl: ORIGIN,
      fetch: async (input, init) => app.fetch(new Request(input, init)),
      headers: () => ({ authorization: `Bearer ${session}`, host: "localhost:4000" }),
    });
  const [sound, broken] = [pageOf(broker), pageOf(frail)];
  const { handle } = (await sound.lookUp({ body: { phone: broker.ben.phone } })).body;
  const sellOn =
    (page: typeof sound) =>
    async (idempotencyKey: string, amount: number): Promise<Recharge> =>
      (await page.createRecharge({ body: { handle, amount } }, { idempotencyKey })).body;
  return {
    till,
    sell: sellOn(sound),
    sellOnFrail: async (how: Fate, key: string, amount: number) => {
      // Past the pause that calls make after failures in a row.
      broker.advance(3);
      fate = how;
      const answer = await sellOn(broken)(key, amount);
      fate = "passes";
      return answer;
    },
    known: async (id: string) => (await sound.recharges({ query: {} })).body.find((sale) => sale.id === id),
  };
}

async function sent(id: string): Promise<number> {
  const rows = await broker.service.sql`
    select from service.transactions where kind = 'recharge' and details ->> 'recharge' = ${id}`;
  return rows.length;
}

/** The number of payments from this one on that were recorded within ten seconds of its sale. */
async function sentNear(id: string): Promise<number> {
  const [sale] = await broker.sql<{ created_at: Date }[]>`select created_at from broker.recharges where id = ${id}`;
  const near = new Date((sale?.created_at.getTime() ?? 0) + 10_000);
  const rows = await broker.service.sql`
    select from service.transactions t where t.created_at < ${near} and t.created_at >= (
      select created_at from service.transactions where kind = 'recharge' and details ->> 'recharge' = ${id})`;
  return rows.length;
}

describe("a sale whose call to the service", () => {
  it("was lost is running, and is sold once when it is asked for again in time", async () => {
    const [till, key] = [await aTill(), v7()];
    const first = await till.sellOnFrail("is lost", key, 1_000);
    expect(first).toMatchObject({ state: "running", name: "Ben R.", amount: 1_000 });
    expect(first.reference).toBeUndefined();
    expect(await sent(first.id)).toBe(0);
    const again = await Promise.all([till.sell(key, 1_000), till.sell(key, 1_000), till.sell(key, 1_000)]);
    expect(again.map(({ id, state }) => `${id} ${state}`)).toEqual(Array(3).fill(`${first.id} approved`));
    expect(await sent(first.id)).toBe(1);
  });

  it("lost its answer is running, and asking again tells what was sold", async () => {
    const [till, key] = [await aTill(), v7()];
    const first = await till.sellOnFrail("loses its answer", key, 1_000);
    expect(first.state).toBe("running");
    expect(await sent(first.id)).toBe(1);
    expect(await till.sell(key, 1_000)).toMatchObject({ id: first.id, state: "approved" });
    expect(await sent(first.id)).toBe(1);
  });

  it("lost its answer is settled by any process, though nobody asks", async () => {
    const till = await aTill();
    const first = await till.sellOnFrail("loses its answer", v7(), 1_000);
    await broker.reconcilePending();
    // The request that began it is given the time to settle it.
    expect((await till.known(first.id))?.state).toBe("running");
    broker.advance(11);
    await Promise.all([broker.reconcilePending(), frail.reconcilePending()]);
    expect(await till.known(first.id)).toMatchObject({ state: "approved", reference: expect.any(String) });
    expect(await sent(first.id)).toBe(1);
    const audited = await broker.sql`
      select outcome from broker.audit_records where subject = ${first.id} order by id`;
    expect(audited.map(({ outcome }) => outcome)).toEqual(["running", "approved"]);
  });

  it("lost its answer is found among the payments, however late somebody asks", async () => {
    const [till, key] = [await aTill("late"), v7()];
    const day = bogota.dayOf(broker.options.clock());
    const first = await till.sellOnFrail("loses its answer", key, 1_000);
    broker.advance(3_600);
    const renewed = await broker.merchant.createSession({
      body: { kind: "recharge", origin: SHOP_ORIGIN, till: "late", max_total: 100_000 },
    });
    const { handle } = (await broker.till(renewed.body.session).lookUp({ body: { phone: broker.ben.phone } })).body;
    const other = broker
      .till(renewed.body.session)
      .createRecharge({ body: { handle, amount: 1 } }, { idempotencyKey: key });
    await expect(other).rejects.toMatchObject({ code: "idempotency_key_reused" });
    await broker.reconcilePending();
    const { body } = await broker.merchant.recharges({ query: { day, till: "late" } });
    expect(body.find(({ id }) => id === first.id)).toMatchObject({ state: "approved" });
    expect(await sent(first.id)).toBe(1);
  });

  it("was lost is never sold once the customer may have left, and fails when it surely never went out", async () => {
    const [till, key] = [await aTill(), v7()];
    const first = await till.sellOnFrail("is lost", key, 1_000);
    expect((await till.known(first.id))?.state).toBe("running");
    broker.advance(61);
    expect(await till.sell(key, 1_000)).toMatchObject({ id: first.id, state: "failed", reason: "not_carried_out" });
    expect(await sent(first.id)).toBe(0);
  });

  it("was lost holds its part of the session's limit until it has failed", async () => {
    const till = await aTill(v7(), 1_500);
    const first = await till.sellOnFrail("is lost", v7(), 1_000);
    await expect(till.sell(v7(), 1_000)).rejects.toMatchObject({
      code: "limit_exceeded",
      detail: "This session may still sell 500 COP. Nothing was sold.",
    });
    await broker.sql`
      update broker.recharges set created_at = created_at - interval '301 seconds' where id = ${first.id}`;
    await broker.reconcilePending();
    expect((await till.known(first.id))?.state).toBe("failed");
    expect((await till.sell(v7(), 1_000)).state).toBe("approved");
  });

  it("lost its answer is found among payments of more pages than were ever read, first near its own time", async () => {
    const till = await aTill();
    const first = await till.sellOnFrail("loses its answer", v7(), 100);
    await Promise.all(Array.from({ length: 22 }, () => till.sell(v7(), 100)));
    const nearFirst = await sentNear(first.id);
    broker.advance(30);
    const second = await till.sellOnFrail("loses its answer", v7(), 100);
    broker.advance(61);
    // As if an earlier version had sent another body: the answer is not replayed.
    await broker.service.sql`
      update service.idempotency_records set fingerprint = 'other' where key in (${first.id}, ${second.id})`;
    onePerPage = true;
    listsAsked = 0;
    await frail.reconcilePending();
    onePerPage = false;
    for (const { id } of [first, second]) expect((await till.known(id))?.state).toBe("approved");
    expect(listsAsked).toBe(nearFirst + 1);
  });

  it("lost its answer is found among the payments when the service has forgotten its key", async () => {
    const till = await aTill();
    const [sold, lost] = [
      await till.sellOnFrail("loses its answer", v7(), 100),
      await till.sellOnFrail("is lost", v7(), 100),
    ];
    await broker.service.sql`delete from service.idempotency_records where key = ${sold.id}`;
    await broker.sql`
      update broker.recharges set created_at = created_at - interval '26 days' where id in (${sold.id}, ${lost.id})`;
    await broker.reconcilePending();
    const rows = await broker.sql<{ id: string; state: string }[]>`
      select id, state from broker.recharges where id in (${sold.id}, ${lost.id}) order by id`;
    expect(rows.map(({ state }) => state)).toEqual(["approved", "failed"]);
    expect(await sent(sold.id)).toBe(1);
  });

  it("was refused has failed with the service's code, and nothing was sold", async () => {
    const elsewhere = await aUser(await broker.service.anEntity(), { quota: 50_000 });
    await broker.sql`update broker.merchants set user_id = ${elsewhere.id}`;
    const [till, key] = [await aTill(), v7()];
    const first = await till.sell(key, 1_000);
    expect(first).toMatchObject({ state: "failed", reason: "payer_not_yours" });
    await broker.sql`update broker.merchants set user_id = ${broker.shop.id}`;
    expect(await till.sell(key, 1_000)).toEqual(first);
    expect(await sent(first.id)).toBe(0);
  });
});

describe("sales that are left over", () => {
  it("are settled all at once, however many there are, the oldest first", async () => {
    const till = await aTill();
    const first = await till.sellOnFrail("is lost", v7(), 100);
    await broker.sql`
      insert into broker.recharges
      select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'attempt_key', n::text,
        'created_at', created_at - n * interval '1 s'))).*
      from broker.recharges r, generate_series(1, 101) n where id = ${first.id}`;
    broker.advance(301);
    await broker.reconcilePending();
    const left = await broker.sql<{ id: string; state: string }[]>`
      select id, state from broker.recharges where look_up_id = (select look_up_id from broker.recharges
        where id = ${first.id}) order by created_at`;
    expect(left.map(({ state }) => state)).toEqual(Array(102).fill("failed"));
    const settled = await broker.sql<{ subject: string }[]>`
      select subject from broker.audit_records where action = 'settle recharge' order by id desc limit 102`;
    expect(settled.map(({ subject }) => subject).reverse()).toEqual(left.map(({ id }) => id));
  });
});

describe("a sale that is under way", () => {
  it("is waited for before the broker closes", async () => {
    const closing = createBroker(broker.options);
    const till = await aTill();
    const first = await till.sellOnFrail("is lost", v7(), 1_000);
    broker.advance(11);
    const settling = closing.reconcilePending();
    await expect.poll(() => sent(first.id)).toBe(1);
    await closing.close();
    expect((await till.known(first.id))?.state).toBe("approved");
    await settling;
  });
});

describe("a sale that was said to have failed before that was certain", () => {
  it("is corrected where it was made", async () => {
    const till = await aTill();
    const first = await till.sell(v7(), 100);
    await broker.sql`
      update broker.recharges set state = 'failed', reason = 'not_carried_out', unconfirmed = true,
        transaction_id = null, transaction_reference = null where id = ${first.id}`;
    expect((await till.known(first.id))?.state).toBe("failed");
    broker.advance(61);
    await broker.reconcilePending();
    const { reference } = first;
    expect(await till.known(first.id)).toMatchObject({
      state: "approved",
      reference,
      corrected_at: expect.any(String),
    });
    expect(await sent(first.id)).toBe(1);
  });
});
