import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Hono } from "hono";
import { v7 } from "uuid";
import type { BrokerOptions } from "../../server/broker/access/broker-options.ts";
import { sessionCookieName } from "../../server/broker/access/session-cookie.ts";
import { type Broker, createBroker } from "../../server/broker/create-broker.ts";
import { type DemoBroker, seedDemoBroker } from "../../server/broker/demo/seed-demo-broker.ts";
import { connect, type Sql } from "../../server/database/connect.ts";
import { migrate } from "../../server/database/migrate.ts";
import type { HttpEnv } from "../../server/http/exchange.ts";
import { type Listening, listen } from "../../server/http/listen.ts";
import { type Client, createClient } from "../../src/client.ts";
import {
  merchantContract,
  PaySession,
  personContract,
  QuotaSession,
  RechargeSession,
  widgetContract,
} from "../../src/contract/broker/broker.ts";
import { aDatabase } from "./database.ts";
import { localNames } from "./local-names.ts";
import { aService, aUser, type TestEntity, type TestService } from "./service.ts";
import { silentLog } from "./silent-log.ts";

/** Where the tests' broker pretends to be; the app is called as a function, from this machine. */
export const ORIGIN = "http://localhost:4000";
/** The name of that broker's session cookie. */
export const SESSION_COOKIE = sessionCookieName({ publicOrigin: ORIGIN });
/** The origin of the shop's page, which is not the broker's. */
export const SHOP_ORIGIN = "https://shop.example";

/** A user of the service, as `aUser` gives one. */
type TestUser = Awaited<ReturnType<typeof aUser>>;
/** The app's client, as one signed-in person. */
export type PersonClient = Client<typeof personContract>;

const { widgetSession } = widgetContract;
/** The contracts of the three elements: the widget contract, with the session's answer of their own kind alone. */
export const payContract = { ...widgetContract, widgetSession: { ...widgetSession, answer: PaySession } };
const rechargeContract = { ...widgetContract, widgetSession: { ...widgetSession, answer: RechargeSession } };
const quotaContract = { ...widgetContract, widgetSession: { ...widgetSession, answer: QuotaSession } };

/** The real broker in front of the real service, both on one database. */
export interface TestBroker extends Broker {
  readonly service: TestService;
  readonly entity: TestEntity;
  readonly options: BrokerOptions;
  readonly sql: Sql;
  readonly demo: DemoBroker;
  readonly ana: TestUser;
  readonly ben: TestUser;
  readonly shop: TestUser;
  /** Calls the app with any request, as a browser on this machine would. */
  readonly fetch: typeof fetch;
  /** Signs a demo person in; answers the cookie. */
  signIn(person: string): Promise<string>;
  /** Makes the demo again, as a start with the demo on does. */
  seedDemo(): Promise<void>;
  /** A client of the app, signed in as one person. */
  as(person: string): Promise<PersonClient>;
  readonly merchant: Client<typeof merchantContract>;
  /** A page with a session of kind pay. */
  widget(session: string): Client<typeof payContract>;
  /** A page with a session of kind recharge. */
  till(session: string): Client<typeof rechargeContract>;
  /** A page with a session of kind quota. */
  quotaPage(session: string): Client<typeof quotaContract>;
  /** Paths that the broker asked the service for, in order. */
  readonly asked: string[];
  /** Moves both clocks on. */
  advance(seconds: number): void;
  stop(): Promise<void>;
}

/** The headers that the app's own pages send. */
export function ownPage(cookie: string): Record<string, string> {
  return { cookie, "x-cupo-request": "1", "sec-fetch-site": "same-origin" };
}

/** Makes a `fetch` that calls the broker in this process. */
export function fetchFrom(broker: Broker): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    if (!request.headers.has("host")) request.headers.set("host", new URL(request.url).host);
    return broker.app.fetch(request);
  };
}

/** Signs a demo person in by their address; returns the session's cookie. */
export async function signInAt(call: typeof fetch, url = ""): Promise<string> {
  const response = await call(url, { redirect: "manual" });
  const token = new RegExp(`${SESSION_COOKIE}=([^;]+)`).exec(response.headers.get("set-cookie") ?? "")?.[1];
  if (token === undefined) throw new Error(`no session: ${response.status} ${await response.text()}`);
  return `${SESSION_COOKIE}=${token}`;
}

interface Started {
  readonly service: TestService;
  readonly entity: TestEntity;
  readonly listening: Listening;
  readonly sql: Sql;
  readonly asked: string[];
}

async function startUpstream(variant: Parameters<typeof aService>[0]): Promise<Started> {
  const service = await aService({ ...variant, database: variant?.database ?? (await aDatabase("broker")) });
  const entity = await service.anEntity();
  const newRequestId = () => v7();
  const asked: string[] = [];
  const front = new Hono<HttpEnv>();
  front.all("*", (c) => {
    asked.push(c.req.path);
    return service.app.fetch(c.req.raw, c.env);
  });
  const listening = await listen(front, { host: "127.0.0.1", port: 0, log: silentLog, newRequestId });
  const sql = connect(service.databaseUrl, { max: 10, applicationName: "cupo broker test" });
  await migrate(sql, join(import.meta.dirname, "../../server/database/migrations/broker"));
  return { service, entity, listening, sql, asked };
}

/** Options that a test may change: an upstream of its own, the demo off, another address. */
export type BrokerChanges = Partial<BrokerOptions>;

/** The options of a test's broker in front of an upstream. */
export function brokerOptions(
  sql: Sql,
  upstream: BrokerOptions["upstream"],
  changes: BrokerChanges = {},
): BrokerOptions {
  return {
    sql,
    upstream,
    publicOrigin: ORIGIN,
    version: "0.0.0",
    currency: "COP",
    timeZone: "America/Bogota",
    qrGuid: "co.qp",
    key: randomBytes(32),
    clock: () => new Date(),
    now: () => performance.now(),
    random: (length) => randomBytes(length),
    newId: () => v7(),
    wait: (delayMs) => delay(delayMs),
    log: silentLog,
    demo: true,
    staticRoot: join(import.meta.dirname, "no-static-files"),
    assumedPeer: { address: "127.0.0.1", port: 4000 },
    ...changes,
    merchantWebhooks: { find: localNames, ...changes.merchantWebhooks },
    pushNetwork: { find: localNames, ...changes.pushNetwork },
  };
}

/** Seeds the demo's people, with their users at the service, and the shop. */
function seed(options: BrokerOptions, { ana, ben, shop }: Record<"ana" | "ben" | "shop", TestUser>) {
  return seedDemoBroker({
    ...options,
    people: [
      { person: "payer", name: "Ana", role: "payer", userId: ana.id },
      { person: "other", name: "Ben", role: "payer", userId: ben.id },
      { person: "merchant", name: "Café", role: "merchant", userId: shop.id },
      { person: "operator", name: "Olga", role: "operator", operatorRole: "admin" },
    ],
    merchant: { userId: shop.id, name: "Café La Esquina", origins: [ORIGIN, SHOP_ORIGIN] },
  });
}

/** Starts the service on a port and the broker in front of it; call `stop` when done. */
export async function aBroker(
  changes: BrokerChanges = {},
  variant: Parameters<typeof aService>[0] = {},
): Promise<TestBroker> {
  const { service, entity, listening, sql, asked } = await startUpstream(variant);
  let aheadMs = 0;
  const { clientId, clientSecret } = entity;
  const address = `http://127.0.0.1:${listening.port}`;
  const upstream = { baseUrl: address, authUrl: address, clientId, clientSecret };
  const clock = (): Date => new Date(Date.now() + aheadMs);
  const now = (): number => performance.now() + aheadMs;
  const options = brokerOptions(sql, upstream, { clock, now, ...changes });
  const broker = createBroker(options);
  broker.startMerchantWebhooks();
  const call = fetchFrom(broker);
  const [ana, ben, shop] = [
    await aUser(entity, { name: "Ana Torres", quota: 500_000 }),
    await aUser(entity, { name: "Ben Ruiz", quota: 500_000 }),
    await aUser(entity, { name: "Café La Esquina" }),
  ];
  const demo = await seed(options, { ana, ben, shop });
  const bearer = (token: string) => ({
    baseUrl: ORIGIN,
    fetch: call,
    headers: () => ({ authorization: `Bearer ${token}` }),
  });
  return {
    ...broker,
    ...{ service, entity, options, sql, asked, demo, ana, ben, shop },
    fetch: call,
    seedDemo: async () => void (await seed(options, { ana, ben, shop })),
    signIn: (person) => signInAt(call, demo.signInUrls[person]),
    async as(person) {
      const cookie = await signInAt(call, demo.signInUrls[person]);
      return createClient(personContract, { baseUrl: ORIGIN, fetch: call, headers: () => ownPage(cookie) });
    },
    merchant: createClient(merchantContract, bearer(demo.merchantKeys.serverKey)),
    widget: (session) => createClient(payContract, bearer(session)),
    till: (session) => createClient(rechargeContract, bearer(session)),
    quotaPage: (session) => createClient(quotaContract, bearer(session)),
    advance: (seconds) => {
      aheadMs += seconds * 1000;
      service.advance(seconds);
    },
    async stop() {
      await broker.close();
      await listening.close(1_000);
      await sql.end();
      await service.stop();
    },
  };
}

/** Starts the payment session of a new order. */
export async function anOrder(
  broker: TestBroker,
  fields: { order?: string; amount?: number; expires_in?: number } = {},
) {
  const body = { kind: "pay" as const, amount: 25_000, order: v7(), origin: SHOP_ORIGIN, ...fields };
  const { reference = "", ...session } = (await broker.merchant.createSession({ body })).body;
  return { ...session, reference };
}
