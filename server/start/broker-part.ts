import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { UpstreamOptions } from "../broker/access/broker-options.ts";
import { createBroker } from "../broker/create-broker.ts";
import { retireDemoBroker } from "../broker/demo/retire-demo-broker.ts";
import { isBuilt } from "../broker/pages/static-files.ts";
import { upstreamFaults } from "../broker/upstream/check-installation.ts";
import { ConfigError } from "../config/config.ts";
import { PLAIN_HTTP, resolvesWithin } from "../config/upstream-network.ts";
import type { Sql } from "../database/connect.ts";
import { parseTrustedProxies } from "../http/client-address.ts";
import { installationOf } from "../runtime/keep-installation.ts";
import type { OwnApiClient } from "../runtime/own-api-client.ts";
import { repeatTask } from "../runtime/repeat-task.ts";
import { keepRegistered, localBrokerUrl, publicUrl } from "./broker-webhook.ts";
import { metricsOf, openPool, type Process, serve } from "./parts.ts";

const STATIC_ROOT = join(import.meta.dirname, "../../dist");
const BROKER_CONNECTIONS = 10;
const ASK_UPSTREAM_MS = 5_000;
/** Short enough for a payer who waits at a till; a poll that finds nothing left costs two index probes. */
const RECONCILE_EVERY_MS = 5_000;

/** The process of the broker, which may be a thread of one. */
type BrokerProcess = Omit<Process, "threads" | "httpThreads">;

/** The credentials of the broker's API client. */
export type BrokerClient = Pick<OwnApiClient, "clientId" | "clientSecret">;

/** Refuses to start with a service of another currency or time zone; an absent one is checked at the first call. */
async function agreedUpstream({ config, log }: BrokerProcess): Promise<Pick<UpstreamOptions, "installation">> {
  const installation = installationOf(config);
  const asked = { baseUrl: config.baseUrl, configured: installation, timeoutMs: ASK_UPSTREAM_MS, log };
  const faults = await upstreamFaults(asked).catch(() => []);
  if (faults.length > 0) throw new ConfigError(faults);
  return { installation };
}

/** Refuses to send the broker's secret in the clear to a name outside of the networks that are allowed for that. */
async function refuseOpenUpstream({ config }: BrokerProcess): Promise<void> {
  const { baseUrl, authUrl, upstreamPrivate = [] } = config;
  for (const [name, address] of Object.entries({ CUPO_BASE_URL: baseUrl, CUPO_AUTH_URL: authUrl })) {
    const isWithin = await resolvesWithin(address, upstreamPrivate).catch(() => undefined);
    if (isWithin === true) continue;
    const fault = isWithin === false ? "outside of CUPO_UPSTREAM_PRIVATE" : "that no name server knows";
    throw new ConfigError([`${name} is plain http to a name ${fault}: ${PLAIN_HTTP}.`]);
  }
}

/** Starts the broker: its HTTP app, webhooks and tasks. */
export async function startBroker(process: BrokerProcess, client: BrokerClient): Promise<Sql> {
  const { config, log, database, stops, services } = process;
  await refuseOpenUpstream(process);
  const sql = await openPool(process, "broker", BROKER_CONNECTIONS);
  if (!config.demo) await retireDemoBroker({ ...services, sql, key: database.key });
  if (!(await isBuilt(STATIC_ROOT))) log.warn({}, 'there are no pages to show: run "npm run build"');
  const agreed = process.role === "broker" ? await agreedUpstream(process) : {};
  const broker = createBroker({
    ...services,
    sql,
    log,
    wait: (delayMs) => delay(delayMs),
    upstream: { ...client, ...agreed, baseUrl: config.baseUrl, authUrl: config.authUrl },
    publicOrigin: config.publicOrigin,
    version: process.version,
    currency: config.currency.code,
    timeZone: config.timeZone,
    qrGuid: config.qrGuid,
    key: database.key,
    demo: config.demo,
    staticRoot: STATIC_ROOT,
    trustedProxies: parseTrustedProxies(config.trustedProxies),
    merchantWebhooks: { allowed: config.webhookPrivate ?? [] },
    metrics: { ...metricsOf(process), app: "broker" },
  });
  stops.add(() => broker.close());
  broker.startMerchantWebhooks();
  const run = () => broker.reconcilePending();
  const reconciling = repeatTask({ name: "settle what was left", everyMs: RECONCILE_EVERY_MS, run, log });
  stops.add(() => reconciling.stop());
  await serve(process, broker.app, { port: config.port, baseUrl: config.publicOrigin });
  // Before the port is closed, which waits for what is under way.
  stops.add(async () => broker.endStreams());
  const eventsUrl = process.role === "all" ? localBrokerUrl(config) : publicUrl(config);
  if (eventsUrl !== undefined) {
    const registration = keepRegistered(broker, eventsUrl, { now: services.now, log });
    stops.add(() => registration.stop());
  }
  return sql;
}
