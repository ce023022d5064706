import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { aBroker, brokerOptions, ORIGIN, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";
import { aStubUpstream, type StubUpstream } from "../../../../test/support/stub-upstream.ts";
import { createBroker } from "../../create-broker.ts";

const DIGITS = { phone: "3001234567", nit: "901234567" };
const TIMEOUT_MS = 500;

let broker: TestBroker;
let stub: StubUpstream;
/** An address at which nobody listens any more. */
let deserted: string;
let session: string;
const lines: string[] = [];

beforeAll(async () => {
  [broker, stub] = await Promise.all([aBroker({ wait: async () => undefined }), aStubUpstream()]);
  const former = await aStubUpstream();
  deserted = former.url;
  await former.close();
});
afterAll(async () => {
  await broker.stop();
  await stub.close();
});
beforeEach(async () => {
  const body = { kind: "recharge" as const, origin: SHOP_ORIGIN, max_amount: 100_000, max_total: 100_000 };
  session = (await broker.merchant.createSession({ body })).body.session;
  lines.length = 0;
});

/** Looks somebody up with a broker before the service at that address; answers the status. */
async function lookUp(baseUrl: string, body: object): Promise<number> {
  const line = (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const log = { debug: line, info: line, warn: line, error: line };
  const { url: authUrl, clientId, clientSecret } = stub;
  const upstream = { baseUrl, authUrl, clientId, clientSecret, timeoutMs: TIMEOUT_MS };
  const { key, wait } = broker.options;
  const { app, close } = createBroker(brokerOptions(broker.sql, upstream, { key, wait, log }));
  const headers = { host: "localhost:4000", "content-type": "application/json", authorization: `Bearer ${session}` };
  const request = new Request(`${ORIGIN}/v1/look-ups`, { method: "POST", headers, body: JSON.stringify(body) });
  const { status } = await app.fetch(request);
  await close();
  return status;
}

const hangs = () => new Promise<object>((resolve) => setTimeout(() => resolve({ cut: true }), 10 * TIMEOUT_MS));
const breaksOff = () => ({ body: "{", headers: { "content-length": "9" } });

it.each([
  ["cannot be connected to", undefined, 503, "ECONNREFUSED"],
  ["cuts the connection", () => ({ cut: true }), 503, "no answer"],
  ["does not answer in time", hangs, 503, "TimeoutError"],
  ["breaks its answer off", breaksOff, 503, "the answer broke off"],
  ["answers no JSON", () => ({ body: `${DIGITS.phone} ${DIGITS.nit}` }), 502, "not JSON"],
  ["answers something else", () => ({ body: { DIGITS } }), 502, "does not fit"],
] as const)("no log holds the phone or nit of a look-up while the service %s", async (_, answer, status, said) => {
  if (answer !== undefined) stub.on("/user", answer);
  const address = answer === undefined ? deserted : stub.url;
  expect(await lookUp(address, { phone: `+57${DIGITS.phone}` })).toBe(status);
  expect(await lookUp(address, { nit: DIGITS.nit })).toBe(status);
  // The lines that are searched were really logged: they name the failure.
  expect(lines.join("\n")).toContain(said);
  for (const digits of Object.values(DIGITS)) expect(lines.join("\n")).not.toContain(digits);
});
