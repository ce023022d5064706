import { setTimeout as delay } from "node:timers/promises";
import { v7 } from "uuid";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { aBroker, anOrder, ownPage, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";
import { silentLog } from "../../../../test/support/silent-log.ts";
import { type Listening, listen } from "../../../http/listen.ts";
import type { StreamLimits } from "../../access/notifiers.ts";

const PROMPT_MS = 500;
const QUIET_MS = 700;
const HEARTBEAT_MS = 200;
const MAX_AGE_MS = 3_000;

interface StreamFixture {
  readonly broker: TestBroker;
  readonly listening: Listening;
  readonly lines: Record<string, unknown>[];
}

async function aStreamFixture(changes: Partial<StreamLimits> = {}): Promise<StreamFixture> {
  const lines: Record<string, unknown>[] = [];
  const log = { ...silentLog, info: (line: object) => void lines.push(line as Record<string, unknown>) };
  const streams = { maxAgeMs: MAX_AGE_MS, heartbeatMs: HEARTBEAT_MS, perOwner: 2, inAll: 3, ...changes };
  const broker = await aBroker({ log, streams });
  const listening = await listen(broker.app, { host: "127.0.0.1", port: 0, log: silentLog, newRequestId: () => v7() });
  return { broker, listening, lines };
}

let fixture: StreamFixture;
let broker: TestBroker;
const leaving = new Set<AbortController>();

beforeAll(async () => {
  fixture = await aStreamFixture();
  ({ broker } = fixture);
});
afterEach(async () => {
  for (const controller of leaving) controller.abort();
  leaving.clear();
  await delay(50);
});
afterAll(async () => {
  broker.endStreams();
  await fixture.listening.close(1_000);
  await broker.stop();
});

function ask(headers: Record<string, string>, { listening } = fixture, method = "GET"): Promise<Response> {
  const controller = new AbortController();
  leaving.add(controller);
  const url = `http://127.0.0.1:${listening.port}/v1/session/stream`;
  return fetch(url, { method, headers, signal: controller.signal });
}

/** Opens a page's stream and collects its text. */
async function hear(session: string, at = fixture) {
  const response = await ask({ authorization: `Bearer ${session}`, origin: SHOP_ORIGIN }, at);
  const heard = { text: "", over: false };
  const reading = (async () => {
    for await (const chunk of response.body ?? []) heard.text += Buffer.from(chunk).toString();
    heard.over = true;
  })();
  reading.catch(() => undefined);
  return { response, heard };
}

async function pay(session: string): Promise<void> {
  const ana = await broker.as("payer");
  const { payload } = (await broker.widget(session).widgetSession({})).body;
  const { id, payee, amount, reference = "" } = (await ana.openApproval({ body: { payload } })).body;
  await ana.confirmApproval({ params: { id }, body: { payee, amount, reference, demo: true } });
}

describe("a stream of hints", () => {
  it("says look again within half a second of an approval, and the next look shows it paid", async () => {
    const { session } = await anOrder(broker);
    const { heard } = await hear(session);
    await expect.poll(() => heard.text, { timeout: PROMPT_MS }).toMatch(/^:\n\n/);
    expect(heard.text).not.toContain("data");
    await pay(session);
    // The answer from before the payment is still cached; a page that got the hint must not get it.
    await expect.poll(() => heard.text, { timeout: PROMPT_MS, interval: 5 }).toContain("data: look again\n\n");
    expect((await broker.widget(session).widgetSession({})).body.state).toBe("paid");
  });

  it("says so for a rejected attempt and for a cancelled session too", async () => {
    const { session, session_id } = await anOrder(broker, { amount: 900_000 });
    const { heard } = await hear(session);
    await pay(session);
    await expect.poll(() => heard.text.split("data").length, { timeout: PROMPT_MS }).toBe(2);
    await broker.merchant.cancelSession({ params: { session_id } });
    await expect.poll(() => heard.text.split("data").length, { timeout: PROMPT_MS }).toBe(3);
  });

  it("hears nothing of other payments, and nothing about its own but that it may look", async () => {
    const [mine, theirs] = [await anOrder(broker), await anOrder(broker)];
    const { heard } = await hear(mine.session);
    await pay(theirs.session);
    await delay(QUIET_MS);
    expect(heard.text).not.toContain("data");
    await pay(mine.session);
    await expect.poll(() => heard.text, { timeout: PROMPT_MS }).toContain("data");
    expect(heard.text.replaceAll(":\n\n", "").replaceAll("data: look again\n\n", "")).toBe("");
  });

  it("beats while nothing happens, ends at its age, and leaves one line in the log at its end", async () => {
    const before = fixture.lines.length;
    const { session, session_id } = await anOrder(broker);
    const { heard } = await hear(session);
    const own = () => fixture.lines.slice(before).filter(({ route }) => route === "/v1/session/stream");
    await delay(HEARTBEAT_MS * 5);
    expect(heard.text.split(":\n\n").length).toBeGreaterThanOrEqual(4);
    expect(own()).toEqual([]);
    await expect.poll(() => heard.over, { timeout: MAX_AGE_MS }).toBe(true);
    await expect.poll(() => own().length).toBe(1);
    expect(own()[0]).toMatchObject({ method: "GET", status: 200, principal: `paySession:${session_id}` });
    expect(own()[0]?.ms).toBeGreaterThan(MAX_AGE_MS - 100);
  });

  it("ends with its session, and a later one is refused", async () => {
    const { session, session_id } = await anOrder(broker);
    const until = new Date(Date.now() + 500);
    await broker.sql`update broker.widget_sessions set shown_until = ${until} where id = ${session_id}`;
    const { heard } = await hear(session);
    await expect.poll(() => heard.over, { timeout: 1_000 }).toBe(true);
    expect((await ask({ authorization: `Bearer ${session}` })).status).toBe(401);
  });

  it("carries what a page of the session needs to read it, unbuffered and unkept", async () => {
    const { session } = await anOrder(broker);
    const { headers, status } = (await hear(session)).response;
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/event-stream");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-accel-buffering")).toBe("no");
    expect(headers.get("access-control-allow-origin")).toBe(SHOP_ORIGIN);
    expect(headers.get("vary")).toContain("Origin");
  });
});

describe("a stream of hints is refused", () => {
  it("to an unknown token and to nobody", async () => {
    for (const headers of [{ authorization: `Bearer ws_${"A".repeat(43)}` }, {}] as Record<string, string>[]) {
      const response = await ask(headers);
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ code: "unauthorized" });
    }
  });

  it("to a person and to a server key, for whom it is not there", async () => {
    const person = ownPage(await broker.signIn("payer"));
    const server = { authorization: `Bearer ${broker.demo.merchantKeys.serverKey}` };
    for (const headers of [person, server]) expect((await ask(headers)).status).toBe(404);
  });

  it("to a page of another origin, listed for another or not at all, and to null", async () => {
    const { session } = await anOrder(broker);
    for (const origin of ["https://evil.example", "http://localhost:4000", "null"]) {
      const response = await ask({ authorization: `Bearer ${session}`, origin });
      expect(response.status).toBe(403);
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  it("beyond two of a session with 429 and beyond three in all with 503, until one of them leaves", async () => {
    const [one, other] = [await anOrder(broker), await anOrder(broker)];
    const statusOf = async (session: string) => (await hear(session)).response.status;
    const first = await hear(one.session);
    const [leaves] = leaving;
    expect([first.response.status, await statusOf(one.session)]).toEqual([200, 200]);
    const refused = await ask({ authorization: `Bearer ${one.session}`, origin: SHOP_ORIGIN });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
    expect(refused.headers.get("access-control-allow-origin")).toBe(SHOP_ORIGIN);
    expect([await statusOf(other.session), await statusOf(other.session)]).toEqual([200, 503]);
    leaves?.abort();
    await expect.poll(() => statusOf(other.session), { timeout: 1_000 }).toBe(200);
  });

  it.each(["perMerchant", "perAddress"] as const)("beyond the number of %s, whatever the session", async (limit) => {
    const bounded = await aStreamFixture({ [limit]: 2, inAll: 10 });
    try {
      const statuses: number[] = [];
      for (let number = 0; number < 3; number += 1) {
        const { session } = await anOrder(bounded.broker);
        statuses.push((await hear(session, bounded)).response.status);
      }
      expect(statuses).toEqual([200, 200, 429]);
    } finally {
      bounded.broker.endStreams();
      await bounded.listening.close(1_000);
      await bounded.broker.stop();
    }
  });

  it("to HEAD it says what GET would, and holds nothing open", async () => {
    const { session } = await anOrder(broker);
    for (let times = 0; times < 5; times++) {
      expect((await ask({ authorization: `Bearer ${session}` }, fixture, "HEAD")).status).toBe(200);
    }
    expect((await hear(session)).response.status).toBe(200);
  });
});

it("shutting down with open streams takes less than a second, and those that come then are refused", async () => {
  const closing = await aStreamFixture();
  try {
    const { session } = await anOrder(closing.broker);
    const streams = [await hear(session, closing), await hear(session, closing)];
    const started = performance.now();
    closing.broker.endStreams();
    const late = await ask({ authorization: `Bearer ${session}` }, closing);
    expect(late.status).toBe(503);
    await late.text();
    expect(await closing.listening.close(10_000)).toBe(true);
    await closing.broker.close();
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(streams.map(({ heard }) => heard.over)).toEqual([true, true]);
  } finally {
    await closing.broker.stop();
  }
});
