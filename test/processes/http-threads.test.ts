import { randomUUID } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../server/database/connect.ts";
import { anAdministrator } from "../e2e/support/administrator.ts";
import { MainProcess } from "../e2e/support/child-process.ts";
import { aPlace, environmentOf, Product } from "../e2e/support/product.ts";
import { ServiceApi } from "../e2e/support/service-api.ts";
import { type Answered, ask, askTogether, CONNECTIONS, tokenOf } from "../support/ask-together.ts";
import { LONG } from "../support/long-tests.ts";
import { aReceiver, signatureFault } from "../support/webhook-receiver.ts";

const THREADS = 2;
const METRICS_TOKEN = "read-the-metrics";
const RATE_LIMIT = 600;
const CLEAN_END = { code: 0, signal: null };

function countOf(metrics: string, route: string): number {
  const line = metrics.split("\n").find((each) => each.includes("_count{") && each.includes(`route="${route}"`));
  return Number(line?.split(" ").at(-1) ?? 0);
}

describe.each([0, THREADS])("with %i threads for HTTP", (threads) => {
  let product: Product;
  let authorization: string;
  let url: string;

  beforeAll(async () => {
    const environment = {
      CUPO_HTTP_THREADS: String(threads),
      CUPO_METRICS_TOKEN: METRICS_TOKEN,
      CUPO_RATE_LIMIT: String(RATE_LIMIT),
      CUPO_WEBHOOK_PRIVATE: "127.0.0.0/8",
    };
    product = await Product.start(undefined, { environment });
    url = product.demo.base_url;
    authorization = `Bearer ${await tokenOf(product.demo)}`;
  });

  afterAll(() => product?.remove());

  it("each connection is answered alike, and metrics and documents are those of the whole process", async () => {
    expect(new Set((await askTogether(`${url}/health/ready`)).map(({ body }) => body))).toHaveLength(1);
    for (const path of ["/openapi.json", "/.well-known/jwks.json"]) {
      const answers = await askTogether(`${url}${path}`);
      expect(new Set(answers.map(({ status, body }) => `${status} ${body}`))).toHaveLength(1);
    }
    const answers = await askTogether(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const last = await ask(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    expect(countOf(last.body, "/openapi.json")).toBe(CONNECTIONS);
    expect(countOf(last.body, "/health/ready")).toBe(CONNECTIONS);
    expect(last.body).toContain("process_cpu_seconds_total");
    const broker = await ask(`${product.origin}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    expect(countOf(broker.body, "/openapi.json")).toBe(CONNECTIONS);
  });

  it("one payment is made of copies of a request that arrive together", async () => {
    const { payer, merchant } = product.demo.users;
    const api = await ServiceApi.of(product.demo);
    const before = await api.balances();
    const headers = { authorization, "content-type": "application/json", "idempotency-key": randomUUID() };
    const body = { from_user_id: payer.id, to_user_id: merchant.id, amount: 100, details: { exact: 1 } };
    const answers = await askTogether(`${url}/create-transaction`, { method: "POST", headers, body });
    expect(new Set(answers.map(({ status, body: text }) => `${status} ${text}`))).toHaveLength(1);
    expect(answers[0]?.status).toBe(201);
    expect(answers.filter((answer) => answer.headers["idempotent-replayed"] === "true")).toHaveLength(CONNECTIONS - 1);
    expect((await api.balances()).payer).toBe(before.payer - 100);
  });

  it("numbers of a body that no double holds are kept as they were sent", async () => {
    const { payer, merchant } = product.demo.users;
    const exact = '{"sum":12345678901234567890.123}';
    const sent = `{"from_user_id":"${payer.id}","to_user_id":"${merchant.id}","amount":100,"details":${exact}}`;
    const headers = { authorization, "content-type": "application/json" };
    const answer = await fetch(`${url}/create-transaction`, { method: "POST", headers, body: sent });
    expect(await answer.text()).toContain(exact);
  });

  it("a payment code is the same text and picture, in whichever form it is asked for", async () => {
    const body = { to_user_id: product.demo.users.merchant.id, amount: 100 };
    const key = { authorization, "content-type": "application/json", "idempotency-key": randomUUID() };
    const make = (accept: string) =>
      fetch(`${url}/create-transaction-qr`, {
        method: "POST",
        headers: { ...key, accept },
        body: JSON.stringify(body),
      });
    const [json, png] = [await make("application/json"), await make("image/png")];
    const qr = (await json.json()) as { readonly image: string; readonly check_code: string };
    const drawn = Buffer.from(await png.arrayBuffer()).toString("base64");
    expect([json.status, png.status, png.headers.get("content-type")]).toEqual([201, 201, "image/png"]);
    expect(qr.image).toBe(`data:image/png;base64,${drawn}`);
    for (const { headers } of [json, png]) expect(headers.get("payment-check-code")).toBe(qr.check_code);
    expect(png.headers.get("idempotent-replayed")).toBe("true");
  });

  it("a webhook tells of a payment", async () => {
    const receiver = await aReceiver();
    const office = await anAdministrator(product);
    const put = { url: receiver.url, event_types: ["transaction.created" as const] };
    const { secret = "" } = (await office.putWebhook({ params: { name: "orders" }, body: put })).body;
    const { payer, merchant } = product.demo.users;
    const body = { from_user_id: payer.id, to_user_id: merchant.id, amount: 100 };
    const paid = await (await ServiceApi.of(product.demo)).client.createTransaction({ body });
    await expect.poll(() => receiver.accepted.length, { timeout: 5_000 }).toBe(1);
    const [told] = receiver.accepted;
    expect(told?.event.data).toMatchObject({ id: paid.body.id });
    expect(told && signatureFault(secret, told)).toBeUndefined();
    await receiver.down();
  });

  it("errors are answered as in one thread", async () => {
    const headers = { authorization, "content-type": "application/json" };
    const nobody = { from_user_id: randomUUID(), to_user_id: randomUUID(), amount: 100, details: {} };
    const refused = await ask(`${url}/create-transaction`, { method: "POST", headers, body: nobody });
    expect([refused.status, JSON.parse(refused.body).code]).toEqual([404, "user_not_found"]);
    const faulty = await ask(`${url}/create-transaction`, { method: "POST", headers, body: { amount: -1 } });
    expect([faulty.status, JSON.parse(faulty.body).code]).toEqual([400, "invalid_request"]);
    const forged = await ask(`${url}/users`, { headers: { authorization: `${authorization}x` } });
    expect(forged.status).toBe(401);
  });

  it("a client's limit is one, whichever threads its requests reach", async () => {
    const startedAt = performance.now();
    const answers: Answered[] = [];
    while (answers.length < 1.5 * RATE_LIMIT) {
      answers.push(...(await askTogether(`${url}/loan-types`, { headers: { authorization } })));
    }
    const refilled = Math.ceil(((performance.now() - startedAt) / 60_000) * RATE_LIMIT);
    const allowed = answers.filter(({ status }) => status === 200).length;
    // The tests above have taken some already.
    expect(allowed).toBeLessThanOrEqual(RATE_LIMIT + refilled);
    expect(allowed).toBeGreaterThan(RATE_LIMIT / 2);
    expect(answers.length - allowed).toBeGreaterThan(0);
  });

  it.runIf(LONG)(
    "a disabled client is refused on every connection within a minute",
    async () => {
      // The test above has left nothing of the limit.
      await delay((CONNECTIONS / RATE_LIMIT) * 120_000);
      const loanTypes = () => askTogether(`${url}/loan-types`, { headers: { authorization } });
      expect(new Set((await loanTypes()).map(({ status }) => status))).toEqual(new Set([200]));
      const sql = connect(product.demo.database_url, { max: 1, applicationName: "cupo test" });
      const { client_id: id } = product.demo;
      await sql`update service.api_clients set disabled_at = now() where id = ${id}`;
      await delay(60_000);
      expect(new Set((await loanTypes()).map(({ status }) => status))).toEqual(new Set([401]));
      await sql.end();
    },
    90_000,
  );
});

describe("a process with threads for HTTP", () => {
  const threads = { CUPO_HTTP_THREADS: String(THREADS) };

  it("answers all that it accepted when it is stopped", async () => {
    const product = await Product.start(undefined, { environment: threads });
    const api = await ServiceApi.of(product.demo);
    const begun = await Promise.all(Array.from({ length: CONNECTIONS }, () => api.beginQr()));
    const underWay = Promise.all(begun.map((complete) => complete()));
    product.main.signal("SIGTERM");
    expect(new Set(await underWay)).toEqual(new Set([201]));
    expect(await product.main.ended()).toEqual(CLEAN_END);
    expect(product.takeLogged()).toEqual([]);
    await product.place.folder.remove();
  });

  it.each(["http 1", "webhooks"])("ends with the name of the thread %s in the log when it crashes", async (name) => {
    const place = await aPlace();
    const sign = join(place.folder.path, "crash");
    const script = `
      import { existsSync } from "node:fs";
      import { isMainThread, threadName } from "node:worker_threads";
      const look = () => { if (existsSync(${JSON.stringify(sign)})) throw new Error("crashed by a test"); };
      if (!isMainThread && threadName === ${JSON.stringify(name)}) setInterval(look, 50);`;
    const preload = `--import=data:text/javascript,${encodeURIComponent(script)}`;
    const product = await Product.start(place, { environment: { ...threads, NODE_OPTIONS: preload } });
    writeFileSync(sign, "");
    expect(await product.main.ended()).toEqual({ code: 1, signal: null });
    const [logged] = product.takeLogged();
    expect(logged).toContain(`The thread \\"${name}\\" ended.`);
    expect(logged).toContain("crashed by a test");
    expect(existsSync(join(place.folder.path, "postgres/postmaster.pid"))).toBe(false);
    await place.folder.remove();
  });

  it("shares its port with no other process, not even one that starts at the same time", async () => {
    const [one, other] = [await aPlace(), await aPlace()];
    const environments = [one, other].map((place) => ({
      ...environmentOf({ ...place, servicePort: one.servicePort }),
      ...threads,
    }));
    const processes = environments.map((environment) => new MainProcess({ environment }));
    const starts = await Promise.allSettled(processes.map((main) => main.ready()));
    expect(starts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const loser = processes.find(({ isOver }) => isOver);
    expect(loser?.err).toMatch(`Port ${one.servicePort} on 127.0.0.1 is already in use: stop what uses it`);
    for (const main of processes) main.signal("SIGTERM");
    await Promise.all(processes.map((main) => main.ended()));
    await Promise.all([one, other].map(({ folder }) => folder.remove()));
  });
});
