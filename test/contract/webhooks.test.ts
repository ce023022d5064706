import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EVENT_TYPES } from "../../src/contract/service/webhooks.ts";
import { tokenFor } from "../support/api-client-calls.ts";
import { aService, aUser, BASE_URL, type TestEntity, type TestService } from "../support/service.ts";
import { NOBODY, type RawClient, rawClient, refusalOf, times } from "../support/service-calls.ts";
import { aReceiver, signatureFault, type WebhookReceiver } from "../support/webhook-receiver.ts";

const DAY_SECONDS = 86_400;
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

let service: TestService;
let guarded: TestService;
let fintech: TestEntity;
let other: TestEntity;
let raw: RawClient;
let receiver: WebhookReceiver;

beforeAll(async () => {
  service = await aService({ webhooks: { allowed: ["127.0.0.0/8"], pollMs: 50, timeoutMs: 300 } });
  guarded = await aService();
  [fintech, other] = [await service.anEntity(), await service.anEntity("Other")];
  raw = await rawClient(service, fintech);
  receiver = await aReceiver();
});
afterAll(async () => {
  await receiver.down();
  await service.stop();
  await guarded.stop();
});

let names = 0;
const aName = () => `hook-${++names}`;
const https = "https://shop.example/events";

const put = (name: string, body: object = {}, entity = fintech) =>
  entity.client.putWebhook({ params: { name }, body: { url: https, ...body } }).then((answer) => answer.body);
const ask = (name: string, body: object) => raw("putWebhook", { params: { name }, body: { url: https, ...body } });

async function deliveriesOf(name: string, query: object = {}) {
  return (await fintech.client.webhookDeliveries({ query: { "endpoint-name": name, ...query } })).body;
}

describe("PUT /webhooks/{name}", () => {
  it("makes a webhook for every type of event, and shows its secret this once", async () => {
    const name = aName();
    const made = await put(name);
    expect(made).toEqual({
      name,
      url: https,
      event_types: [...EVENT_TYPES],
      enabled: true,
      created_at: expect.stringMatching(/Z$/),
      secret: expect.stringMatching(SECRET),
    });
    const { secret: _, ...standing } = made;
    expect(await put(name)).toEqual(standing);
    expect(JSON.stringify((await fintech.client.webhooks({ query: {} })).body)).not.toContain("whsec_");
  });

  it("replaces the address and the types, and keeps the secret", async () => {
    const name = aName();
    await put(name);
    const changed = await put(name, { url: "https://shop.example/other", event_types: ["qr.paid", "user.created"] });
    expect(changed).toMatchObject({ url: "https://shop.example/other", event_types: ["qr.paid", "user.created"] });
    expect(changed.secret).toBeUndefined();
    expect((await put(name)).event_types).toEqual([...EVENT_TYPES]);
  });

  it("rotates the secret: the one before signs too for a day", async () => {
    const name = aName();
    const { secret } = await put(name);
    const rotated = await put(name, { rotate_secret: true });
    expect(rotated.secret).toMatch(SECRET);
    expect(rotated.secret).not.toBe(secret);
    const until = new Date(rotated.previous_secret_until ?? "").getTime();
    expect(Math.round((until - service.clock().getTime()) / 1000 / DAY_SECONDS)).toBe(1);
  });

  it("disables and enables, and keeps since when", async () => {
    const name = aName();
    await put(name);
    const disabled = await put(name, { enabled: false });
    expect(disabled).toMatchObject({ enabled: false, disabled_reason: "requested" });
    expect(await put(name, { enabled: false, url: "https://shop.example/later" })).toMatchObject({
      disabled_at: disabled.disabled_at,
    });
    const enabled = await put(name);
    expect([enabled.enabled, enabled.disabled_at, enabled.disabled_reason]).toEqual([true, undefined, undefined]);
  });

  it("refuses a client that was disabled a moment ago, so that none leaves a webhook behind", async () => {
    const { client } = await service.anEntity();
    const scopes = ["administration"] as const;
    const { body: made } = await client.createApiClient({ body: { name: "stolen", scopes: [...scopes] } });
    const accessToken = await tokenFor(service, made, "administration");
    await client.disableApiClient({ body: { client_id: made.client_id } });
    const stolen = await service.fetch(`${BASE_URL}/webhooks/left-behind`, {
      method: "PUT",
      headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
      body: JSON.stringify({ url: https }),
    });
    expect([stolen.status, (await client.webhooks({ query: {} })).body]).toEqual([401, []]);
  });

  it("keeps secrets sealed: none is in the database in clear", async () => {
    const { secret = "" } = await put(aName());
    const bytes = Buffer.from(secret.replace("whsec_", ""), "base64");
    const rows = await service.sql<{ text: string }[]>`select e::text as text from service.webhook_endpoints e`;
    for (const { text } of rows) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(bytes.toString("hex"));
      expect(text).not.toContain(Buffer.from(secret).toString("hex"));
    }
  });

  it("records who made or changed it, and nothing when nothing changes", async () => {
    const name = aName();
    const count = async () =>
      (await service.sql`select from service.access_records where action = 'putWebhook'`).length;
    const before = await count();
    for (const body of [{}, {}, { enabled: false }, { enabled: false }, { rotate_secret: true }]) await put(name, body);
    expect((await count()) - before).toBe(3);
  });

  it.each(["a b", "-a", "a".repeat(65), "á", "%00", "a/b"])("has nothing at the name %j", async (name) => {
    expect(await refusalOf(await raw("putWebhook", { params: { name }, body: { url: 7 } }))).toEqual(["not_found"]);
  });

  it("refuses, in this order: the name, every fault of the body, more than 20 webhooks", async () => {
    const bad = { url: "http://10.0.0.1/", event_types: ["qr.paid", "qr.paid", "x"], enabled: 1, secret: "x", more: 1 };
    expect(await refusalOf(await ask("!", bad))).toEqual(["not_found"]);
    expect(await refusalOf(await ask(aName(), bad))).toEqual([
      "invalid_request",
      ...["/enabled", "/event_types/2", "/more", "/secret"],
    ]);
    expect(await refusalOf(await ask(aName(), { event_types: [] }))).toEqual(["invalid_request", "/event_types"]);
    expect(await refusalOf(await ask(aName(), { event_types: ["qr.paid", "qr.paid"] }))).toEqual([
      "invalid_request",
      "/event_types",
    ]);
    const full = await service.anEntity("Full");
    await Promise.all(times(20, (index) => put(`h${index}`, {}, full)));
    const last = await rawClient(service, full);
    const more = (url: string) => last("putWebhook", { params: { name: "more" }, body: { url } });
    expect(await refusalOf(await more("ftp://shop.example"))).toEqual(["invalid_request", "/url"]);
    expect(await refusalOf(await more(https))).toEqual(["webhook_limit"]);
    expect((await put("h7", { enabled: false }, full)).enabled).toBe(false);
  });

  it("makes one webhook of a name that is put 20 times at once", async () => {
    const name = aName();
    const made = await Promise.all(times(20, () => put(name)));
    expect(made.filter(({ secret }) => secret !== undefined)).toHaveLength(1);
  });

  it.each([
    ...[
      "ftp://shop.example/",
      "shop.example",
      "",
      "https://",
      "http://shop.example/",
      "https://user:pass@shop.example/",
    ],
    ...["https://shop.example/#here", "https://localhost/", "https://a.localhost/", "https://127.0.0.1/"],
    ...["https://127.1/", "https://2130706433/", "https://0x7f.0.0.1/", "https://10.1.2.3/", "https://192.168.1.1/"],
    ...["https://169.254.169.254/latest/meta-data", "https://100.64.0.1/", "https://[::1]/", "https://[fd00::1]/"],
    ...["https://[fe80::1]/", "https://[::ffff:10.0.0.1]/", "https://[64:ff9b::a00:1]/", "https://0.0.0.0/"],
    ...["https://224.0.0.1/", "https://[ff02::1]/", "http://127.0.0.1:8080/"],
  ])("takes no address such as %j, where no private network is allowed", async (url) => {
    const client = await rawClient(guarded, await guarded.anEntity());
    const refusal = await refusalOf(await client("putWebhook", { params: { name: "a" }, body: { url } }));
    expect(refusal).toEqual(["invalid_request", "/url"]);
  });

  it("belongs to its entity: another has a webhook of the same name, and sees only that", async () => {
    const name = aName();
    const [mine, theirs] = [await put(name), await put(name, { url: "https://other.example/" }, other)];
    expect(mine.secret).not.toBe(theirs.secret);
    expect((await other.client.webhooks({ query: {} })).body.map(({ url }) => url)).toEqual(["https://other.example/"]);
  });
});

describe("GET /webhooks", () => {
  it("lists an entity's webhooks, newest first, page by page", async () => {
    const many = await service.anEntity("Many");
    for (const index of [1, 2, 3, 4, 5]) await put(`w${index}`, {}, many);
    const first = await many.client.webhooks({ query: { limit: "2" } });
    const second = await many.client.webhooks({ query: { limit: "3", cursor: first.nextCursor } });
    expect([...first.body, ...second.body].map(({ name }) => name)).toEqual(["w5", "w4", "w3", "w2", "w1"]);
    expect(second.nextCursor).toBeUndefined();
    expect(await refusalOf(await raw("webhooks", { query: { cursor: "x" } }))).toEqual(["invalid_cursor"]);
    expect(await refusalOf(await raw("webhooks", { query: { limit: "0" } }))).toEqual(["invalid_request", "limit"]);
  });
});

describe("GET /webhook-deliveries", () => {
  it("tells what became of each event, newest first, page by page and by state", async () => {
    const name = aName();
    await put(name, { url: receiver.url, event_types: ["user.created"] });
    receiver.answer = ({ event }) => (event.data.name === "Refused" ? 503 : 202);
    const [one, two] = [await aUser(fintech, { name: "Uno" }), await aUser(fintech, { name: "Refused" })];
    await expect.poll(async () => (await deliveriesOf(name)).map(({ attempts }) => attempts)).toEqual([1, 1]);
    await expect.poll(async () => (await deliveriesOf(name))[0]?.last_status).toBe(503);
    const [latest, first] = await deliveriesOf(name);
    expect(first).toEqual({
      event_id: receiver.received.find(({ event }) => event.data.id === one.id)?.id,
      endpoint_name: name,
      event_type: "user.created",
      state: "delivered",
      attempts: 1,
      created_at: expect.stringMatching(/Z$/),
      last_attempt_at: expect.stringMatching(/Z$/),
      last_status: 202,
      delivered_at: expect.stringMatching(/Z$/),
    });
    expect(latest).toMatchObject({ state: "waiting", last_status: 503, last_error: "refused" });
    expect(Date.parse(latest?.next_attempt_at ?? "")).toBeGreaterThan(service.clock().getTime());
    expect(receiver.received.some(({ event }) => event.data.id === two.id)).toBe(true);
    expect(await deliveriesOf(name, { state: "waiting" })).toEqual([latest]);
    expect(await deliveriesOf(name, { state: "failed" })).toEqual([]);
    const page = await fintech.client.webhookDeliveries({ query: { "endpoint-name": name, limit: "1" } });
    expect(page.body).toEqual([latest]);
    expect(await deliveriesOf(name, { limit: "1", cursor: page.nextCursor })).toEqual([first]);
    receiver.answer = () => 204;
    await put(name, { enabled: false });
  });

  it("refuses, in this order: parameters, a cursor that is none, a webhook that is not the caller's", async () => {
    const ours = aName();
    await put(ours, {}, other);
    const list = (query: Record<string, string>) => raw("webhookDeliveries", { query });
    expect(await refusalOf(await list({ state: "lost", cursor: "x" }))).toEqual([
      "invalid_request",
      ...["endpoint-name", "state"],
    ]);
    expect(await refusalOf(await list({ "endpoint-name": ours, cursor: "x" }))).toEqual(["invalid_cursor"]);
    expect(await refusalOf(await list({ "endpoint-name": ours }))).toEqual(["webhook_not_found"]);
    expect(await refusalOf(await list({ "endpoint-name": "nothing" }))).toEqual(["webhook_not_found"]);
  });
});

describe("POST /redeliver-webhook", () => {
  const redeliver = (endpoint_name: string, event_id: string, headers: Record<string, string> = {}) =>
    raw("redeliverWebhook", { body: { endpoint_name, event_id }, headers });

  it("sends what was accepted again, with the same id; once for one idempotency key", async () => {
    const name = aName();
    const { secret = "" } = await put(name, { url: receiver.url, event_types: ["user.created"] });
    const user = await aUser(fintech, { name: "Again" });
    const seen = () => receiver.received.filter(({ event }) => event.data.id === user.id);
    await expect.poll(async () => (await deliveriesOf(name))[0]?.state).toBe("delivered");
    const [first] = seen();
    const key = { "idempotency-key": "again" };
    const answer = await redeliver(name, first?.id ?? "", key);
    expect(await answer.json()).toMatchObject({ event_id: first?.id, state: "waiting", attempts: 1 });
    await expect.poll(async () => (await deliveriesOf(name))[0]).toMatchObject({ state: "delivered", attempts: 2 });
    const replayed = await redeliver(name, first?.id ?? "", key);
    expect([replayed.status, replayed.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    expect(await refusalOf(await redeliver(name, NOBODY, key))).toEqual(["idempotency_key_reused"]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(seen().map(({ id }) => id)).toEqual([first?.id, first?.id]);
    for (const message of seen()) expect(signatureFault(secret, message)).toBeUndefined();
  });

  it("refuses, in this order: the body, an unknown webhook, an event it never had; a disabled webhook", async () => {
    const name = aName();
    await put(name);
    expect(await refusalOf(await redeliver("!", "1"))).toEqual(["invalid_request", "/endpoint_name", "/event_id"]);
    expect(await refusalOf(await redeliver("nothing", NOBODY))).toEqual(["webhook_not_found"]);
    expect(await refusalOf(await redeliver(name, NOBODY))).toEqual(["webhook_delivery_not_found"]);
    const keyed = { "idempotency-key": "refused" };
    expect(await refusalOf(await redeliver(name, NOBODY, keyed))).toEqual(["webhook_delivery_not_found"]);
    const copy = await redeliver(name, NOBODY, keyed);
    expect(copy.headers.get("idempotent-replayed")).toBe("true");
    await put(name, { enabled: false });
    expect(await refusalOf(await redeliver(name, NOBODY))).toEqual(["webhook_disabled"]);
  });
});
