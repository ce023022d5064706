import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { aBroker, ORIGIN, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";
import { type Broker, createBroker } from "../../create-broker.ts";
import { forgetLookUps } from "./look-up-store.ts";

const NOBODY = "+573009999999";

let broker: TestBroker;
/** Milliseconds that look-ups were told to last longer. */
const pauses: number[] = [];
beforeAll(async () => {
  broker = await aBroker({ wait: async (delayMs) => void pauses.push(delayMs) });
});
afterAll(() => broker.stop());
beforeEach(() => {
  broker.asked.length = 0;
  pauses.length = 0;
});

async function aSession(till: string): Promise<string> {
  const body = { kind: "recharge" as const, origin: SHOP_ORIGIN, till, max_amount: 50_000 };
  return (await broker.merchant.createSession({ body })).body.session;
}

async function aTill(till: string = v7()) {
  return broker.till(await aSession(till));
}

function raw(
  session: string,
  body: object,
  headers: Record<string, string> = {},
  { app }: Pick<Broker, "app"> = broker,
): Promise<Response> {
  const own = { authorization: `Bearer ${session}`, "content-type": "application/json", host: "localhost:4000" };
  const init = { method: "POST", headers: { ...own, ...headers }, body: JSON.stringify(body) };
  return Promise.resolve(app.fetch(new Request(`${ORIGIN}/v1/look-ups`, init)));
}

describe("a look-up", () => {
  it("by phone or nit, in whatever spelling, gives a masked name and a handle, and no id or name", async () => {
    const till = await aTill();
    const { phone, nit } = broker.ben;
    for (const body of [
      { phone },
      { phone: phone.replace("+57", "") },
      { nit },
      { nit: `${nit.slice(0, 3)}.${nit.slice(3)}` },
    ]) {
      const { expires_in: expiresIn, ...answer } = (await till.lookUp({ body })).body;
      expect(answer).toEqual({ handle: expect.stringMatching(/^lu_[\w-]{43}$/), name: "Ben R." });
      // Five minutes in whole seconds, less the milliseconds since it was found, of which there may be none.
      expect([299, 300]).toContain(expiresIn);
    }
  });

  it("is a person's too", async () => {
    const ana = await broker.as("payer");
    expect((await ana.lookUp({ body: { phone: broker.ben.phone } })).body.name).toBe("Ben R.");
    await expect(ana.lookUp({ body: { phone: NOBODY } })).rejects.toMatchObject({ code: "user_not_found" });
    await expect(ana.lookUp({ body: { phone: broker.ana.phone } })).rejects.toMatchObject({ code: "not_allowed" });
  });

  it("takes the same steps and as long for a miss as for a hit", async () => {
    // A clock that stands still: whatever the machine is busy with, each look-up took nothing and waits for the rest.
    const still = createBroker({ ...broker.options, now: () => 0 });
    const session = await aSession(v7());
    const written = async () => {
      const [row] = await broker.sql<{ rows: number }[]>`
        select (select count(*) from broker.look_ups)::int + (select count(*) from broker.audit_records)::int as rows`;
      return row?.rows ?? 0;
    };
    const traces: unknown[] = [];
    for (const phone of [broker.ben.phone, NOBODY]) {
      [broker.asked.length, pauses.length] = [0, 0];
      const before = await written();
      const { status } = await raw(session, { phone }, {}, still);
      const asked = broker.asked.filter((path) => path !== "/oauth2/token");
      traces.push({ status, asked, pauses: [...pauses], written: (await written()) - before });
    }
    const same = { asked: ["/user"], pauses: [300], written: 2 };
    expect(traces).toEqual([
      { status: 200, ...same },
      { status: 404, ...same },
    ]);
    await still.close();
  });

  it.each([{ phone: "hola" }, { phone: "12" }, { nit: "ñ" }, { nit: "1' or '1'='1" }])(
    "of %j, which nobody can have, is a miss like any other",
    async (body) => {
      await expect((await aTill()).lookUp({ body })).rejects.toMatchObject({
        code: "user_not_found",
        detail: "Nobody has this phone or nit: compare it, digit by digit.",
      });
      expect(pauses).toHaveLength(1);
    },
  );

  it("needs exactly one of phone and nit", async () => {
    const session = await aSession("caja");
    for (const body of [{}, { phone: NOBODY, nit: "1" }, { phone: "" }, { id: broker.ben.id }]) {
      expect((await raw(session, body)).status).toBe(400);
    }
  });

  it("leaves neither phone, nit nor name in the database, and of the handle a hash", async () => {
    const till = await aTill();
    const { handle } = (await till.lookUp({ body: { phone: broker.ben.phone } })).body;
    const rows = await broker.sql`select l::text as text from broker.look_ups l`;
    const audited = await broker.sql`select r::text as text from broker.audit_records r where action = 'look up user'`;
    const kept = JSON.stringify([rows, audited]);
    for (const secret of [handle.slice(3), broker.ben.phone, broker.ben.phone.slice(3), broker.ben.nit, "Ruiz"]) {
      expect(kept).not.toContain(secret);
    }
    expect(audited.length).toBeGreaterThan(0);
  });
});

describe("the limit of look-ups", () => {
  it("refuses all of a thousand guesses after the tenth, and tells nothing of whom they would have found", async () => {
    const session = await aSession(v7());
    // However long a busy machine takes for it, this is one moment.
    const moment = broker.options.clock();
    const frozen = createBroker({ ...broker.options, clock: () => moment });
    const guesses = Array.from({ length: 1_000 }, (_, number) =>
      number % 2 === 0 ? broker.ben.phone : `+5730055${String(number).padStart(5, "0")}`,
    );
    const answers: { status: number; body: string; phone: string }[] = [];
    for (let start = 0; start < guesses.length; start += 50) {
      const some = guesses.slice(start, start + 50).map(async (phone) => {
        const response = await raw(session, { phone }, {}, frozen);
        const { request_id: _, detail = "", ...body } = (await response.json()) as Record<string, string>;
        return { status: response.status, phone, body: `${JSON.stringify(body)} ${detail.replace(/\d+/, "N")}` };
      });
      answers.push(...(await Promise.all(some)));
    }
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(990);
    expect(new Set(refused.map(({ body }) => body)).size).toBe(1);
    expect(new Set(refused.map(({ phone }) => phone === broker.ben.phone))).toEqual(new Set([true, false]));
    expect(broker.asked.filter((path) => path === "/user")).toHaveLength(10);
    await frozen.close();
  }, 120_000);

  it("goes on from one session of a till to the next, and is each till's and person's own", async () => {
    const name = v7();
    for (let number = 0; number < 10; number += 1) {
      await (await aTill(name)).lookUp({ body: { phone: broker.ben.phone } });
    }
    const refusal: unknown = await (await aTill(name)).lookUp({ body: { phone: NOBODY } }).catch((e: unknown) => e);
    expect(refusal).toMatchObject({ code: "too_many_requests" });
    const ben = await broker.as("other");
    for (const other of [await aTill(), ben]) await other.lookUp({ body: { phone: broker.ana.phone } });
    const { retryAfter = 0 } = refusal as { retryAfter?: number };
    broker.advance(retryAfter);
    expect((await (await aTill(name)).lookUp({ body: { phone: broker.ben.phone } })).status).toBe(200);
  });

  it("counts together what comes to several processes at once", async () => {
    const session = await aSession(v7());
    const second = createBroker(broker.options);
    const ask = (number: number) => raw(session, { phone: NOBODY }, {}, number % 2 === 0 ? broker : second);
    const answers = await Promise.all(Array.from({ length: 40 }, (_, number) => ask(number)));
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
    await second.close();
  });

  it("ends after sixty a day that led to no sale, whether they found somebody or not", async () => {
    const name = v7();
    for (let minute = 0; minute < 6; minute += 1) {
      const till = await aTill(name);
      const bodies = Array.from({ length: 10 }, (_, number) => ({ phone: number % 2 ? broker.ben.phone : NOBODY }));
      await Promise.allSettled(bodies.map((body) => till.lookUp({ body })));
      broker.advance(61);
    }
    const refusal: unknown = await (await aTill(name)).lookUp({ body: { phone: NOBODY } }).catch((e: unknown) => e);
    expect(refusal).toMatchObject({ code: "too_many_requests" });
    const { retryAfter = 0 } = refusal as { retryAfter?: number };
    expect(retryAfter).toBeGreaterThan(23 * 60 * 60);
    await broker.sql`
      update broker.look_ups set sold_at = asked_at
      where id = (select id from broker.look_ups where asker like ${`%${name}`} and user_id is not null limit 1)`;
    expect((await (await aTill(name)).lookUp({ body: { phone: broker.ben.phone } })).status).toBe(200);
  });

  it("is also the merchant's, sixty a minute, however many tills it names", async () => {
    broker.advance(61);
    const moment = broker.options.clock();
    const frozen = createBroker({ ...broker.options, clock: () => moment });
    const statuses: number[] = [];
    for (let number = 0; number < 7; number += 1) {
      const session = await aSession(v7());
      const asked = Array.from({ length: 10 }, () => raw(session, { phone: broker.ben.phone }, {}, frozen));
      statuses.push(...(await Promise.all(asked)).map(({ status }) => status));
    }
    expect(statuses).toEqual([...Array(60).fill(200), ...Array(10).fill(429)]);
    await (await broker.as("payer")).lookUp({ body: { phone: broker.ben.phone } });
    await frozen.close();
    broker.advance(61);
    await (await aTill()).lookUp({ body: { phone: broker.ben.phone } });
  });

  it("is also the merchant's, two thousand a day, those that led to a sale included", async () => {
    await broker.sql`delete from broker.look_ups`;
    await (await aTill()).lookUp({ body: { phone: broker.ben.phone } });
    await broker.sql`
      insert into broker.look_ups (id, asker, account, asked_at, handle_hash, user_id, masked_name, expires_at, sold_at)
      select gen_random_uuid(), asker || n, account, at, sha256(n::text::bytea), user_id, masked_name, at, at
      from broker.look_ups, generate_series(1, 1998) n, lateral (select asked_at - n * interval '40 s' as at) t`;
    await (await aTill()).lookUp({ body: { phone: broker.ben.phone } });
    const refusal: unknown = await (await aTill()).lookUp({ body: { phone: NOBODY } }).catch((e: unknown) => e);
    expect(refusal).toMatchObject({ code: "too_many_requests" });
    // The oldest is 1 998 × 40 s old.
    const { retryAfter = 0 } = refusal as { retryAfter?: number };
    expect(24 * 60 * 60 - 1_998 * 40 - retryAfter).toBeLessThan(60);
    broker.advance(retryAfter);
    await (await aTill()).lookUp({ body: { phone: broker.ben.phone } });
    await broker.sql`delete from broker.look_ups`;
  });

  it("does not count what the service did not answer", async () => {
    const { upstream } = broker.options;
    const away = createBroker({ ...broker.options, upstream: { ...upstream, baseUrl: "http://127.0.0.1:1" } });
    const name = v7();
    const session = await aSession(name);
    for (let number = 0; number < 12; number += 1) {
      expect((await raw(session, { phone: NOBODY }, {}, away)).status).toBe(503);
    }
    expect(await broker.sql`select from broker.look_ups where asker like ${`%${name}`}`).toHaveLength(0);
    await away.close();
  });

  it("keeps nothing of look-ups that count no more, nor of who asked for them", async () => {
    const person = await broker.as("payer");
    for (const { lookUp } of [person, await aTill()]) await lookUp({ body: { phone: broker.ben.phone } });
    const accounts = async () => (await broker.sql`select account from broker.look_up_accounts`).length;
    const before = await accounts();
    await forgetLookUps(broker.sql, broker.options.clock());
    expect(await accounts()).toBe(before);
    broker.advance(2 * 24 * 60 * 60 + 1);
    await (await aTill()).lookUp({ body: { phone: broker.ben.phone } });
    await forgetLookUps(broker.sql, broker.options.clock());
    expect(await broker.sql`select from broker.look_ups`).toHaveLength(1);
    expect(await accounts()).toBe(1);
    await person.lookUp({ body: { phone: broker.ben.phone } });
    expect(await accounts()).toBe(2);
  });
});

describe("the routes of a till", () => {
  function preflight(path: string, origin: string): Promise<Response> {
    const headers = { origin, "access-control-request-method": "POST" };
    return broker.fetch(`${ORIGIN}${path}`, { method: "OPTIONS", headers });
  }

  it.each(["/v1/look-ups", "/v1/recharges"])("%s are for pages of the session's origin alone", async (path) => {
    const session = await aSession(v7());
    const ask = (origin: string) =>
      broker.fetch(`${ORIGIN}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${session}`, "content-type": "application/json", origin },
        body: JSON.stringify(path === "/v1/look-ups" ? { phone: broker.ben.phone } : { handle: "lu_", amount: 1_000 }),
      });
    const own = await ask(SHOP_ORIGIN);
    expect(own.headers.get("access-control-allow-origin")).toBe(SHOP_ORIGIN);
    broker.asked.length = 0;
    for (const origin of ["null", "https://evil.example", ORIGIN, `${SHOP_ORIGIN}.evil.example`]) {
      const response = await ask(origin);
      expect(response.status).toBe(403);
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      expect(await response.text()).not.toContain("Ben");
    }
    expect(broker.asked).toEqual([]);
    const allowed = await preflight(path, SHOP_ORIGIN);
    expect(allowed.headers.get("access-control-allow-origin")).toBe(SHOP_ORIGIN);
    expect(allowed.headers.get("access-control-allow-headers")).toContain("Idempotency-Key");
    for (const origin of ["null", "https://evil.example"]) {
      expect((await preflight(path, origin)).headers.get("access-control-allow-origin")).toBeNull();
    }
  });
});
