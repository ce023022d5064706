import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { MainProcess } from "./support/child-process.ts";
import { aFaultyLine, type FaultyProxy } from "./support/faulty-proxy.ts";
import { picture } from "./support/open-browser.ts";
import { enrol } from "./support/passkeys.ts";
import { Phone } from "./support/phone.ts";
import { environmentOf, freePort } from "./support/product.ts";

/** Covers the app's polls, the broker's open circuit breaker and the service's restart: longer than `PATIENCE_MS`. */
const RECOVERY_MS = 30_000;
const AMOUNT = 1_000;

/** This product owns the database and answers what was posted; a separate service and broker run on the same one. */
const fixture = aBrowserFixture();
let line: FaultyProxy;
let servicePort: number;
let service: MainProcess;
let broker: MainProcess;
let brokerPort: number;
let ana: Phone;

function apart(role: "service" | "broker", environment: Record<string, string>): MainProcess {
  const { demo, place } = fixture.product;
  const key = readFileSync(join(place.folder.path, "key"), "utf8").trim();
  const { CUPO_TIME_ZONE } = environmentOf(place);
  const shared = { DATABASE_URL: demo.database_url, CUPO_KEY: key, ...(CUPO_TIME_ZONE && { CUPO_TIME_ZONE }) };
  return new MainProcess({ role, environment: { ...shared, ...environment } });
}

async function end(part: MainProcess): Promise<void> {
  part.signal("SIGTERM");
  await part.ended();
}

async function startService(): Promise<void> {
  const started = apart("service", { CUPO_SERVICE_PORT: String(servicePort) });
  fixture.atEnd(() => end(started));
  service = started;
  await service.ready();
}

async function startBroker(): Promise<void> {
  const { client_id, client_secret } = fixture.product.demo;
  const started = apart("broker", {
    CUPO_PORT: String(brokerPort),
    CUPO_BASE_URL: `http://localhost:${line.port}`,
    CUPO_AUTH_URL: `http://localhost:${line.port}`,
    CUPO_CLIENT_ID: client_id,
    CUPO_CLIENT_SECRET: client_secret,
    CUPO_DEMO: "on",
  });
  fixture.atEnd(() => end(started));
  broker = started;
  await broker.ready();
}

beforeAll(async () => {
  servicePort = await freePort();
  line = await aFaultyLine(servicePort);
  fixture.atEnd(() => line.close());
  await startService();
  brokerPort = await freePort();
  await startBroker();
  const { users } = fixture.product.demo;
  const origin = `http://localhost:${brokerPort}`;
  ana = await Phone.take(fixture.browser, { origin });
  // The browser logs 502 and 503 while the service is down, and failed connections while the broker is down.
  ana.watch.allow(
    /status of 50[23] .*\/v1\/(?:approvals\/[^/]+(?:\/confirm)?|me)\)$/,
    /net::ERR_(?:CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING) .*\/v1\//,
    // A kept connection that ended while the request was on its way to it.
    /net::ERR_SOCKET_NOT_CONNECTED .*\/v1\//,
  );
  await ana.signInBy(`${origin}${new URL(users.payer.sign_in_url).pathname}${new URL(users.payer.sign_in_url).search}`);
});

/** Opens Confirm for a new payment of Ana's; returns the balances before it and its reference. */
async function atConfirm() {
  const before = await fixture.api.balances();
  const { payload, reference } = await fixture.api.makeQr({ amount: AMOUNT });
  await ana.openCode(payload);
  await ana.toConfirm();
  return { before, reference };
}

async function expectPaidOnce({ before, reference }: Awaited<ReturnType<typeof atConfirm>>): Promise<void> {
  expect(await fixture.api.balances()).toEqual({
    payer: before.payer - AMOUNT,
    merchant: before.merchant + AMOUNT,
  });
  expect(await fixture.api.approvedOf(reference)).toBe(1);
  expect(ana.watch.takeFaults()).toEqual([]);
}

/** Opens the app again while the payment's outcome is unknown: Home shows the payment and leads back to it. */
async function homeRemembers(): Promise<void> {
  const { page, words } = ana;
  await ana.open("/");
  const way = page.getByRole("button", { name: words.unknownOutcome.see });
  await way.waitFor();
  await picture(page, "50-home-remembers");
  await way.click();
  await page.getByText(words.confirm.askingText, { exact: true }).waitFor();
}

async function untilReceipt(started: number, what: string): Promise<void> {
  await ana.page.locator("cupo-confirm-page .receipt").waitFor({ timeout: RECOVERY_MS });
  console.info(`from the ${what}'s new start to the receipt: ${(performance.now() - started).toFixed(0)} ms`);
}

it.each(["before", "after"] as const)(
  "a service that is killed just %s it has carried the payment out has been paid once, and the app finds it",
  async (when) => {
    const payment = await atConfirm();
    const killed = line.breakAt("/create-transaction", when, () => service.signal("SIGKILL"));
    await ana.pay();
    await killed;
    expect((await service.ended()).signal).toBe("SIGKILL");
    expect(await fixture.api.approvedOf(payment.reference)).toBe(when === "after" ? 1 : 0);
    await ana.page.getByText(ana.words.confirm.askingText, { exact: true }).waitFor();
    await picture(ana.page, `50-killed-${when}`);
    if (when === "after") await homeRemembers();
    const started = performance.now();
    await startService();
    await untilReceipt(started, "service");
    await expectPaidOnce(payment);
    await ana.open("/");
    await ana.page.locator("cupo-home-page cupo-movement-list").waitFor();
    expect(await ana.page.getByText(ana.words.unknownOutcome.see).count()).toBe(0);
  },
);

it("a broker that is killed between a passkey's approval and the answer finds the payment, made once", async () => {
  const { demo, place } = fixture.product;
  await enrol({ demo, place, origin: `http://localhost:${brokerPort}` }, ana, "payer");
  const payment = await atConfirm();
  const killed = line.breakAt("/create-transaction", "after", () => broker.signal("SIGKILL"));
  await ana.pay();
  await killed;
  expect((await broker.ended()).signal).toBe("SIGKILL");
  expect(await fixture.api.approvedOf(payment.reference)).toBe(1);
  await ana.page.getByText(ana.words.confirm.askingText, { exact: true }).waitFor();
  const started = performance.now();
  await startBroker();
  await untilReceipt(started, "broker");
  await expectPaidOnce(payment);
});
