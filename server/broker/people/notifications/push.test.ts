import { verify } from "node:crypto";
import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "../../../../src/client.ts";
import { personContract } from "../../../../src/contract/broker/broker.ts";
import { type Language, languages } from "../../../../src/language/languages.ts";
import { pushWords } from "../../../../src/language/tables/server.ts";
import { aBroker, ownPage, type PersonClient, type TestBroker } from "../../../../test/support/broker.ts";
import { aBrowser, aPushService, type Pushed } from "../../../../test/support/push-service.ts";
import { silentLog } from "../../../../test/support/silent-log.ts";
import { type Listening, listen } from "../../../http/listen.ts";
import { hashToken } from "../../access/opaque-token.ts";
import { createPushSender } from "./push-sender.ts";
import { UPSTREAM_EVENTS_PATH } from "./upstream-events.ts";

/** A payment that is received appears within this, by the issue. */
const PROMPT_MS = 2_000;

let broker: TestBroker;
let listening: Listening;
let push: Awaited<ReturnType<typeof aPushService>>;
let cookie: string;
let ana: PersonClient;

beforeAll(async () => {
  const allowed = ["127.0.0.0/8"];
  push = await aPushService();
  broker = await aBroker({ pushNetwork: { allowed } }, { webhooks: { allowed } });
  listening = await listen(broker.app, { host: "127.0.0.1", port: 0, log: silentLog, newRequestId: () => v7() });
  await broker.registerWebhook(`http://127.0.0.1:${listening.port}${UPSTREAM_EVENTS_PATH}`);
});
beforeEach(async () => {
  push.pushed.length = 0;
  push.status = 201;
  cookie = await broker.signIn("payer");
  const headers = () => ownPage(cookie);
  ana = createClient(personContract, { baseUrl: broker.options.publicOrigin, fetch: broker.fetch, headers });
});
afterAll(async () => {
  broker.endStreams();
  await listening.close(1_000);
  await broker.stop();
  push.stop();
});

/** Ben pays Ana at the service, past this broker. */
async function payAna(amount = 12_345): Promise<string> {
  const body = { amount, from_user_id: broker.ben.id, to_user_id: broker.ana.id };
  return (await broker.entity.client.createTransaction({ body })).body.id;
}

describe("web push", () => {
  it("tells the receiver's browser within two seconds, encrypted, signed, and without amount or name", async () => {
    const browser = aBrowser();
    const { endpoint } = push;
    await ana.startMyPush({ body: { endpoint, keys: browser.keys, language: "es" } });
    const id = await payAna();
    await expect.poll(() => push.pushed.length, { timeout: PROMPT_MS, interval: 10 }).toBe(1);
    const [message] = push.pushed as [Pushed];
    expect(browser.read(message)).toEqual({
      title: "Recibiste un pago",
      body: "Abre Cupo para verlo.",
      path: "/received",
      tag: id,
    });
    expect(message.headers).toMatchObject({ "content-encoding": "aes128gcm", urgency: "high", topic: "money" });
    const { publicKey, claims, isSigned } = readVapid(message.headers.authorization ?? "");
    expect(publicKey).toBe((await ana.myPush({})).body.public_key);
    expect(claims).toMatchObject({ aud: new URL(endpoint).origin });
    expect(isSigned).toBe(true);
  });

  it.each(Object.keys(languages) as Language[])("writes in the language of the browser: %s", async (language) => {
    const browser = aBrowser();
    await ana.startMyPush({ body: { endpoint: push.endpoint, keys: browser.keys, language } });
    await payAna();
    await expect.poll(() => push.pushed.length, { timeout: PROMPT_MS, interval: 10 }).toBe(1);
    expect(browser.read(push.pushed[0] as Pushed)).toMatchObject(pushWords[language].arrived);
  });

  it("sends the payer nothing, and nothing for a rejected payment", async () => {
    const ben = await broker.as("other");
    const endpoint = `${push.endpoint}-ben`;
    await ben.startMyPush({ body: { endpoint, keys: aBrowser().keys, language: "pt" } });
    await payAna(99_000_000);
    await payAna();
    await expect.poll(() => push.pushed.length, { timeout: PROMPT_MS }).toBe(1);
    await ben.endMyPush({ body: { endpoint } });
  });

  it("stops when the session ends, and when the browser is no longer known to the push service", async () => {
    const { endpoint } = push;
    await ana.startMyPush({ body: { endpoint, keys: aBrowser().keys, language: "en" } });
    push.status = 410;
    await payAna();
    await expect.poll(isLive, { timeout: PROMPT_MS }).toBe(false);
    push.status = 201;
    await ana.startMyPush({ body: { endpoint, keys: aBrowser().keys, language: "en" } });
    expect(await isLive()).toBe(true);
    await ana.signOut({});
    push.pushed.length = 0;
    const heard = await hear(await broker.signIn("payer"));
    await payAna();
    await expect.poll(() => heard.hints, { timeout: PROMPT_MS }).toBeGreaterThan(0);
    expect(push.pushed).toEqual([]);
  });

  it("tells by one message of all that came while one was on its way, and other people meanwhile", async () => {
    const [browser, ben] = [aBrowser(), await broker.as("other")];
    await ana.startMyPush({ body: { endpoint: push.endpoint, keys: browser.keys, language: "es" } });
    await ben.startMyPush({ body: { endpoint: `${push.endpoint}-bens`, keys: aBrowser().keys, language: "es" } });
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    push.answering = promise;
    const sender = createPushSender(broker.options);
    try {
      for (const id of ["1", "2", "3", "4"]) sender.notify(broker.ana.id, id);
      sender.notify(broker.ben.id, "5");
      await expect.poll(() => push.pushed.length, { timeout: PROMPT_MS }).toBe(2);
      push.answering = Promise.resolve();
      answer();
      await expect.poll(() => push.pushed.length, { timeout: PROMPT_MS }).toBe(3);
      expect(browser.read(push.pushed[2] as Pushed)).toMatchObject({ tag: "4" });
    } finally {
      answer();
      await sender.stop();
    }
    expect(push.pushed).toHaveLength(3);
    await ben.endMyPush({ body: { endpoint: `${push.endpoint}-bens` } });
  });

  it("refuses keys that nothing can be encrypted for, and addresses that no push service has", async () => {
    const { keys } = aBrowser();
    const language = "es" as const;
    const beside = Buffer.alloc(65, 4).toString("base64url");
    for (const [name, key] of [["auth", "AAAA"] as const, ["p256dh", "AAAA"] as const, ["p256dh", beside] as const]) {
      const body = { endpoint: push.endpoint, keys: { ...keys, [name]: key }, language };
      await expect(ana.startMyPush({ body })).rejects.toMatchObject({ faults: [{ pointer: `/keys/${name}` }] });
    }
    // Webhooks may reach this machine there.
    const strict = await aBroker({ merchantWebhooks: { allowed: ["127.0.0.0/8"] } });
    try {
      const other = await strict.as("payer");
      const targets = [
        "http://127.0.0.1:1/push",
        "https://127.0.0.1/push",
        "https://[::1]/push",
        "https://localhost/push",
      ];
      for (const endpoint of targets) {
        const refused = other.startMyPush({ body: { endpoint, keys, language } });
        await expect(refused).rejects.toMatchObject({ code: "not_allowed" });
      }
    } finally {
      await strict.stop();
    }
  });
});

async function isLive(): Promise<boolean> {
  const rows = await broker.sql`
    select from broker.push_subscriptions where endpoint = ${push.endpoint} and ended_at is null`;
  return rows.length === 1;
}

/** Opens the app's stream in that session and counts its hints. */
async function hear(session: string) {
  const url = `http://127.0.0.1:${listening.port}/v1/me/events`;
  const response = await fetch(url, { headers: { ...ownPage(session), origin: broker.options.publicOrigin } });
  const heard = { status: response.status, hints: 0 };
  const reading = (async () => {
    for await (const part of response.body ?? []) heard.hints += Buffer.from(part).toString().split("data:").length - 1;
  })();
  reading.catch(() => undefined);
  return heard;
}

function readVapid(authorization: string) {
  const [, token = "", publicKey = ""] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(publicKey, "base64url");
  const [x = "", y = ""] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const key = { key: { kty: "EC", crv: "P-256", x, y }, format: "jwk", dsaEncoding: "ieee-p1363" } as const;
  const isSigned = verify("sha256", Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, "base64url"));
  return { publicKey, claims: JSON.parse(Buffer.from(claims, "base64url").toString()) as object, isSigned };
}

describe("the stream of a person's events", () => {
  it("says look again when money arrives, and when it goes", async () => {
    const heard = await hear(cookie);
    expect(heard.status).toBe(200);
    await payAna();
    await expect.poll(() => heard.hints, { timeout: PROMPT_MS, interval: 10 }).toBeGreaterThan(0);
    const before = heard.hints;
    const body = { amount: 10, from_user_id: broker.ana.id, to_user_id: broker.shop.id };
    await broker.entity.client.createTransaction({ body });
    await expect.poll(() => heard.hints, { timeout: PROMPT_MS, interval: 10 }).toBeGreaterThan(before);
  });

  it("hears nothing of others' money", async () => {
    const [anas, bens] = [await hear(cookie), await hear(await broker.signIn("other"))];
    const body = { amount: 10, from_user_id: broker.ben.id, to_user_id: broker.shop.id };
    await broker.entity.client.createTransaction({ body });
    await expect.poll(() => bens.hints, { timeout: PROMPT_MS }).toBeGreaterThan(0);
    expect(anas.hints).toBe(0);
  });

  it("is not there for a merchant's key, and asks strangers to sign in", async () => {
    const { serverKey } = broker.demo.merchantKeys;
    const url = `http://127.0.0.1:${listening.port}/v1/me/events`;
    expect((await fetch(url, { headers: { authorization: `Bearer ${serverKey}` } })).status).toBe(404);
    expect((await fetch(url)).status).toBe(401);
  });

  // Late, because the service signs with the clock that this moves.
  it("is no activity of its person, as other looks of a page by itself", async () => {
    const { personId } = await sessionOf(cookie);
    broker.advance(3_600);
    await hear(cookie);
    const headers = { ...ownPage(cookie), "x-cupo-polling": "1" };
    expect((await broker.fetch(`${broker.options.publicOrigin}/v1/me/history`, { headers })).status).toBe(200);
    const before = await sessionOf(cookie);
    await ana.myHistory({ query: {} });
    const after = await sessionOf(cookie);
    expect([before.idle, after.idle, after.personId]).toEqual([true, false, personId]);
  });
});

/** Reads the person of a session; `idle` if its last activity is half an hour old. */
async function sessionOf(session: string): Promise<{ personId: string; idle: boolean }> {
  const token = session.split("=")[1] ?? "";
  const [row] = await broker.sql<{ personId: string; at: Date }[]>`
    select person_id as "personId", last_active_at as at from broker.sign_in_sessions
    where token_hash = ${hashToken(token)}`;
  if (row === undefined) throw new Error("no such session");
  return { personId: row.personId, idle: broker.options.clock().getTime() - row.at.getTime() > 1_800_000 };
}

// After all that is sent, for this moves the clock too.
describe("a person's subscriptions", () => {
  it("make room within their own session, of which the first stays, however many subscribe at once", async () => {
    broker.advance(61);
    const kept = async () => {
      const rows = await broker.sql<{ endpoint: string }[]>`
        select u.endpoint from broker.push_subscriptions u join broker.people p on p.id = u.person_id
        where p.user_id = ${broker.ana.id} and u.ended_at is null order by u.endpoint`;
      return rows.map(({ endpoint }) => endpoint);
    };
    const [own, other] = [`${push.endpoint}-own`, `${push.endpoint}-other`];
    const invented = Array.from({ length: 12 }, (_, index) => `${push.endpoint}-x${index}`);
    const by = (person: PersonClient) => (endpoint: string) =>
      person.startMyPush({ body: { endpoint, keys: aBrowser().keys, language: "es" } });
    await broker.sql`delete from broker.push_subscriptions`;
    const [here, there] = [await broker.as("payer"), await broker.as("payer")];
    await by(there)(other);
    await by(here)(own);
    broker.advance(1);
    await by(here)(`${push.endpoint}-moved`);
    await here.endMyPush({ body: { endpoint: `${push.endpoint}-moved` } });
    await by(here)(own);
    await Promise.all(invented.map(by(here)));
    expect(await kept()).toHaveLength(4);
    expect(await kept()).toEqual(expect.arrayContaining([other, own]));
    const asked = async () => {
      for (let count = 0; count < 40; count++) await by(here)(own);
    };
    await expect(asked()).rejects.toMatchObject({ code: "too_many_requests" });
    await by(there)(other);
  });
});
