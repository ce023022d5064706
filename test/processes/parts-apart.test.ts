import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client.ts";
import { personContract } from "../../src/contract/broker/broker.ts";
import { MainProcess } from "../e2e/support/child-process.ts";
import { aPlace, freePort, type Place, Product } from "../e2e/support/product.ts";
import { ServiceApi } from "../e2e/support/service-api.ts";
import { aDatabase, type TestDatabase } from "../support/database.ts";

const AMOUNT = 25_000;
const CLEAN_END = { code: 0, signal: null };

let database: TestDatabase;
let place: Place;
let product: Product;
let services: readonly MainProcess[];
let servicePorts: readonly number[];
let broker: MainProcess;
let brokerPort: number;

/** A process of all parts and two services start at once on an empty database; then a broker that calls one service. */
beforeAll(async () => {
  database = await aDatabase();
  place = await aPlace();
  servicePorts = [await freePort(), await freePort()];
  const shared = { DATABASE_URL: database.url, CUPO_KEY: randomBytes(32).toString("base64") };
  services = servicePorts.map(
    (port) => new MainProcess({ role: "service", environment: { ...shared, CUPO_SERVICE_PORT: String(port) } }),
  );
  [product] = await Promise.all([
    Product.start(place, { environment: { ...shared, CUPO_DEMO: "on", CUPO_ENTITY: "Apart" } }),
    ...services.map((service) => service.ready()),
  ]);
  const { client_id, client_secret } = product.demo;
  brokerPort = await freePort();
  const upstream = `http://localhost:${servicePorts[0]}`;
  const known = { CUPO_BASE_URL: upstream, CUPO_AUTH_URL: upstream, CUPO_CLIENT_ID: client_id };
  const environment = { ...shared, ...known, CUPO_CLIENT_SECRET: client_secret, CUPO_DEMO: "on" };
  broker = new MainProcess({ role: "broker", environment: { ...environment, CUPO_PORT: String(brokerPort) } });
  await broker.ready();
});

afterAll(async () => {
  for (const started of [broker, ...(services ?? [])]) started?.signal("SIGKILL");
  await product?.remove();
  await database?.drop();
});

/** The app's client at the separate broker, signed in as Ana. */
async function ana(): Promise<Client<typeof personContract>> {
  const { pathname, search } = new URL(product.demo.users.payer.sign_in_url);
  const response = await fetch(`http://localhost:${brokerPort}${pathname}${search}`, { redirect: "manual" });
  const cookie = response.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const headers = { cookie, "x-cupo-request": "1", "sec-fetch-site": "same-origin" };
  return createClient(personContract, { baseUrl: `http://localhost:${brokerPort}`, headers: () => headers });
}

/** The same API client at one of the services that run apart. */
function serviceAt(port: number): Promise<ServiceApi> {
  return ServiceApi.of({ ...product.demo, base_url: `http://localhost:${port}`, auth_url: `http://localhost:${port}` });
}

describe("processes on one database of one's own", () => {
  it("start no PostgreSQL themselves", () => {
    expect(existsSync(join(place.folder.path, "postgres"))).toBe(false);
    expect(place.folder.postgresPid).toBeUndefined();
  });

  it("share everything: paid through the broker and one service, told alike by all", async () => {
    const [first = 0, second = 0] = servicePorts;
    const { payload, reference } = await (await serviceAt(second)).makeQr({ amount: AMOUNT });
    const app = await ana();
    const { id, payee, amount } = (await app.openApproval({ body: { payload } })).body;
    const body = { payee, amount, reference, demo: true as const };
    expect((await app.confirmApproval({ params: { id }, body })).body.state).toBe("approved");
    for (const port of [first, second, place.servicePort]) {
      const api = await serviceAt(port);
      expect(await api.approvedOf(reference)).toBe(1);
      expect(await api.balances()).toEqual({ payer: 500_000 - AMOUNT, merchant: 300_000 + AMOUNT });
    }
  });

  it("end each for itself on SIGTERM, and the others go on", async () => {
    const [one, other] = services;
    one?.signal("SIGTERM");
    expect(await one?.ended()).toEqual(CLEAN_END);
    expect(await (await serviceAt(servicePorts[1] ?? 0)).balances()).toMatchObject({ merchant: 300_000 + AMOUNT });
    for (const started of [other, broker]) {
      started?.signal("SIGTERM");
      expect(await started?.ended()).toEqual(CLEAN_END);
    }
    expect([one?.err, other?.err, broker.err].join("\n")).not.toMatch(/"level":(?:50|60)/);
  });
});
