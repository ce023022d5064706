import { parentPort, workerData } from "node:worker_threads";
import { Registry } from "prom-client";
import { businessTime } from "../../src/business-time.ts";
import { serviceContract } from "../../src/contract/service/service.ts";
import type { Config } from "../config/config.ts";
import { connect } from "../database/connect.ts";
import { parseTrustedProxies } from "../http/client-address.ts";
import type { RemoteHandler } from "../http/http-options.ts";
import { type Listening, listen } from "../http/listen.ts";
import { writtenCall } from "../http/remote-call.ts";
import { readHandlers } from "../service/read-handlers.ts";
import { changesFrom } from "../service/shared/changes-from.ts";
import type { ApiCaller } from "../service/shared/service-context.ts";
import { createTokenCheck } from "../service/tokens/access-tokens.ts";
import { createShortCache } from "../shared/short-cache.ts";
import { Channel } from "../threads/channel.ts";
import type { ServiceCore } from "./service-core.ts";
import { createServiceHttp, placesOf } from "./service-http.ts";
import { type LimitMemory, limitInMinorUnits, serviceLimits } from "./service-limits.ts";
import { systemLog, systemServices } from "./system-services.ts";

/** The data of a thread that serves HTTP in front of the service's core. */
export interface HttpThreadData {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly limits: LimitMemory;
  /** Threads that serve HTTP, this one included. */
  readonly threads: number;
}

/** How long the core's word on a key or a credential is good, and after how long it is asked again while in use. */
const [WORD_MS, ASK_AGAIN_MS] = [5_000, 1_000];
const MOST_WORDS = 10_000;
const DRAIN_MS = 10_000;
/** Each takes some 20 KB of a thread's memory, which is bounded. */
const MOST_CONNECTIONS = 20_000;

/** Requests between two looks for what the core has said. */
const REQUESTS_AT_ONCE = 32;

const { config, databaseUrl, limits: memory, threads } = workerData as HttpThreadData;
const services = systemServices();
const { clock, now, newId } = services;
const log = systemLog(config.logLevel);
const registry = new Registry();
const trustedProxies = parseTrustedProxies(config.trustedProxies);
// One more than its places: readiness is asked beside them.
const pool = { max: placesOf(threads) + 1, applicationName: "cupo service" };
const sql = connect(databaseUrl, pool);
const readSql = config.databaseReadUrl === undefined ? sql : connect(config.databaseReadUrl, pool);
let listening: Listening | undefined;
let requests = 0;

if (parentPort === null) throw new Error("this script is that of a thread");
const core = new Channel(parentPort, {
  async listen(port: number) {
    const { host, baseUrl } = config;
    const sharing = { listeners: threads, maxConnections: MOST_CONNECTIONS, beforeEach: hearCore };
    listening = await listen(app, { host, port, log, newRequestId: newId, baseUrl, ...sharing });
  },
  metrics: () => registry.getMetricsAsJSON(),
  async close() {
    await listening?.close(DRAIN_MS);
    await Promise.all([sql, readSql].map((each) => each.end({ timeout: DRAIN_MS / 1000 })));
  },
});

/** Hears the core between requests: with thousands of connections ready, its answers would wait for all of them. */
function hearCore(): void {
  requests += 1;
  if (requests % REQUESTS_AT_ONCE === 0) core.attend();
}

/** Checks tokens here, with the keys and the ended credentials that the core knows. */
function tokenCheck() {
  const words = { now, lifeMs: WORD_MS, renewMs: ASK_AGAIN_MS, maxKeys: MOST_WORDS };
  const keys = createShortCache<Awaited<ReturnType<ServiceCore["tokens"]["tokenKey"]>>>(words);
  const refusals = createShortCache<string | undefined>(words);
  return createTokenCheck({
    ...{ issuer: config.authUrl, audience: config.baseUrl, clock },
    signingKeys: { tokenKey: async (kid) => (await keys.get(kid, () => core.ask("tokenKey", kid))).value },
    endedCredentials: {
      async refusalOf({ clientId, secretId }) {
        const read = () => core.ask<string | undefined>("refusalOf", { clientId, secretId });
        return (await refusals.get(`${clientId} ${secretId}`, read)).value;
      },
    },
  });
}

const limits = serviceLimits({ ...config, now }, memory);
const reading = readHandlers({
  ...{ sql, readSql, clock, changesFrom: changesFrom({ sql, clock }) },
  ...{ currency: config.currency, counterpartyLimit: limitInMinorUnits(config) },
  ...{ time: businessTime(config.timeZone), foreignLookUps: limits.foreignLookUps },
});
const remote = Object.keys(serviceContract).map((name): [string, RemoteHandler<ApiCaller>] => [
  name,
  (call) => core.ask("carryOut", { name, call: writtenCall(call) }),
]);

const app = createServiceHttp({
  core: {
    grantToken: (request) => core.ask("grantToken", request),
    wellKnown: (path) => core.ask("wellKnown", path),
    openApi: () => core.ask("openApi"),
  },
  verifyAccessToken: tokenCheck(),
  handlers: { ...Object.fromEntries(remote), ...reading } as Parameters<typeof createServiceHttp>[0]["handlers"],
  limits: limits.requests,
  ...{ sql, now, newId, log, trustedProxies, threads, baseUrl: config.baseUrl },
  metrics: {
    registry,
    expose: () => core.ask("metrics"),
    ...(config.metricsToken === undefined ? {} : { token: config.metricsToken }),
  },
});
