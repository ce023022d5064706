import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { UpstreamOptions } from "../broker/access/broker-options.ts";
import { BROKER_SCOPES } from "../broker/access/policy/policy-scopes.ts";
import { createBroker } from "../broker/create-broker.ts";
import { retireDemoBroker } from "../broker/demo/retire-demo-broker.ts";
import { isBuilt } from "../broker/pages/static-files.ts";
import { upstreamFaults } from "../broker/upstream/check-installation.ts";
import { type Config, ConfigError } from "../config/config.ts";
import { PLAIN_HTTP, resolvesWithin } from "../config/upstream-network.ts";
import { connect, type Sql } from "../database/connect.ts";
import { makeDataFolder } from "../database/make-data-folder.ts";
import { migrate } from "../database/migrate.ts";
import { type StartedDatabase, startDatabase } from "../database/start-database.ts";
import { retireDemo } from "../demo/retire-demo.ts";
import { seedDemo } from "../demo/seed-demo.ts";
import { parseTrustedProxies } from "../http/client-address.ts";
import type { HttpLog } from "../http/http-log.ts";
import { type Listening, listen } from "../http/listen.ts";
import type { MachineClock } from "../ledger/model/machine-clock.ts";
import type { IdSource } from "../runtime/id-source.ts";
import { installationOf, keepInstallation } from "../runtime/keep-installation.ts";
import { newestId } from "../runtime/newest-id.ts";
import { keptApiClient, type OwnApiClient, ownApiClient } from "../runtime/own-api-client.ts";
import { type Entity, keepOwnEntity } from "../runtime/own-entity.ts";
import { repeatTask } from "../runtime/repeat-task.ts";
import { keepRegistered, localBrokerUrl, publicUrl } from "./broker-webhook.ts";
import { createServiceApp } from "./service-app.ts";

/** The part of Cupo that a process runs: the service, the broker, or both. */
export type Role = "all" | "service" | "broker";

/** A running Cupo: the addresses to show, and the way to stop it. */
export interface Running {
  /** Addresses that a person may open, each with a short description. */
  readonly addresses: readonly { readonly what: string; readonly url: string }[];
  /** Settles when the embedded database ends unasked; never for a database of one's own. */
  readonly databaseLost: Promise<void>;
  /** Finishes what is under way and stops everything that was started. */
  stop(): Promise<void>;
}

/** Clock, randomness and ids: the real ones in the shipped product. */
export interface SystemServices {
  readonly clock: () => Date;
  /** Milliseconds from any fixed point; never goes back. */
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array;
  /** A new UUIDv7, greater than the one before. */
  readonly newId: IdSource;
  readonly machine: MachineClock;
}

/** Options and dependencies of {@link start}. */
export interface StartOptions {
  /** Asks the person at the terminal; absent where nobody is there. */
  readonly ask?: (question: string) => Promise<string>;
  readonly config: Config;
  readonly role: Role;
  readonly log: HttpLog;
  readonly version: string;
  readonly services: SystemServices;
}

const MIGRATIONS = join(import.meta.dirname, "../database/migrations");
const STATIC_ROOT = join(import.meta.dirname, "../../dist");
const SERVICE_CONNECTIONS = 10;
/** Commits run one after another; a second connection is there when the first must be renewed. */
const WRITE_CONNECTIONS = 2;
const READ_CONNECTIONS = 5;
const BROKER_CONNECTIONS = 10;
const DRAIN_MS = 10_000;
const ASK_UPSTREAM_MS = 5_000;
/** Short enough for a payer who waits at a till; a poll that finds nothing left costs two index probes. */
const RECONCILE_EVERY_MS = 5_000;

/** Parts to stop, the latest first. */
class Stops {
  readonly #stops: (() => Promise<unknown>)[] = [];

  add(stop: () => Promise<unknown>): void {
    this.#stops.unshift(stop);
  }

  async run(): Promise<void> {
    for (const stop of this.#stops.splice(0)) await stop();
  }
}

interface Process extends StartOptions {
  readonly database: StartedDatabase;
  readonly registry: Registry;
  readonly stops: Stops;
}

async function openPool(
  { database, stops, config, services }: Process,
  part: "service" | "broker",
  max: number,
): Promise<Sql> {
  const sql = connect(database.url, { max, applicationName: `cupo ${part}` });
  stops.add(() => sql.end({ timeout: DRAIN_MS / 1000 }));
  await migrate(sql, join(MIGRATIONS, part));
  await keepInstallation(sql, part, config);
  const newest = await newestId(sql, part);
  if (newest !== undefined) services.newId.continueAbove(newest);
  return sql;
}

/** The writer's own connections: no other statement makes a commit wait, and each of its statements is planned once. */
function openWritePool({ database, stops }: Process): Sql {
  const options = { max: WRITE_CONNECTIONS, applicationName: "cupo service writer", findsByKeys: true };
  const writeSql = connect(database.url, options);
  stops.add(() => writeSql.end({ timeout: DRAIN_MS / 1000 }));
  return writeSql;
}

/** Statistics may be read from a replica; its tables come from the primary. */
function openReadPool({ config, stops }: Process, sql: Sql): Sql {
  if (config.databaseReadUrl === undefined) return sql;
  const readSql = connect(config.databaseReadUrl, { max: READ_CONNECTIONS, applicationName: "cupo service reads" });
  stops.add(() => readSql.end({ timeout: DRAIN_MS / 1000 }));
  return readSql;
}

async function serve(
  { log, stops, config, services }: Process,
  app: Parameters<typeof listen>[0],
  { port, baseUrl }: { readonly port: number; readonly baseUrl: string },
): Promise<Listening> {
  const listening = await listen(app, { host: config.host, port, log, newRequestId: services.newId, baseUrl });
  stops.add(() => listening.close(DRAIN_MS));
  return listening;
}

function metricsToken({ metricsToken: token }: Config): { readonly token?: string } {
  return token === undefined ? {} : { token };
}

async function startService(process: Process): Promise<Sql> {
  const { config, log, version, registry, database, stops, services } = process;
  const sql = await openPool(process, "service", SERVICE_CONNECTIONS);
  if (!config.demo) await retireDemo({ ...services, sql, dataDir: config.dataDir });
  const service = await createServiceApp({
    ...services,
    sql,
    writeSql: openWritePool(process),
    readSql: openReadPool(process, sql),
    log,
    version,
    metrics: { registry, ...metricsToken(config) },
    key: database.key,
    baseUrl: config.baseUrl,
    authUrl: config.authUrl,
    currency: config.currency,
    counterpartyLimit: config.counterpartyLimit,
    timeZone: config.timeZone,
    city: config.city,
    qrGuid: config.qrGuid,
    rateLimit: config.rateLimit,
    foreignLookUps: config.foreignLookUps,
    trustedProxies: parseTrustedProxies(config.trustedProxies),
    webhooks: { allowed: config.webhookPrivate ?? [], own: process.role === "all" ? [localBrokerUrl(config)] : [] },
  });
  stops.add(() => service.close());
  await serve(process, service.app, { port: config.servicePort, baseUrl: config.baseUrl });
  return sql;
}

/** Refuses to start with a service of another currency or time zone; an absent one is checked at the first call. */
async function agreedUpstream({ config, log }: Process): Promise<Pick<UpstreamOptions, "installation">> {
  const installation = installationOf(config);
  const asked = { baseUrl: config.baseUrl, configured: installation, timeoutMs: ASK_UPSTREAM_MS, log };
  const faults = await upstreamFaults(asked).catch(() => []);
  if (faults.length > 0) throw new ConfigError(faults);
  return { installation };
}

/** Refuses to send the broker's secret in the clear to a name outside of the networks that are allowed for that. */
async function refuseOpenUpstream({ config }: Process): Promise<void> {
  const { baseUrl, authUrl, upstreamPrivate = [] } = config;
  for (const [name, address] of Object.entries({ CUPO_BASE_URL: baseUrl, CUPO_AUTH_URL: authUrl })) {
    const isWithin = await resolvesWithin(address, upstreamPrivate).catch(() => undefined);
    if (isWithin === true) continue;
    const fault = isWithin === false ? "outside of CUPO_UPSTREAM_PRIVATE" : "that no name server knows";
    throw new ConfigError([`${name} is plain http to a name ${fault}: ${PLAIN_HTTP}.`]);
  }
}

async function startBroker(process: Process, client: Pick<OwnApiClient, "clientId" | "clientSecret">): Promise<Sql> {
  const { config, log, registry, database, stops, services } = process;
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
    currency: config.currency.code,
    timeZone: config.timeZone,
    qrGuid: config.qrGuid,
    key: database.key,
    demo: config.demo,
    staticRoot: STATIC_ROOT,
    trustedProxies: parseTrustedProxies(config.trustedProxies),
    merchantWebhooks: { allowed: config.webhookPrivate ?? [] },
    metrics: { registry, app: "broker", ...metricsToken(config) },
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

/** The name of the broker's API client. */
const BROKER_CLIENT = "broker";
const ENTITY_QUESTION = "The name of the fintech that this installation acts for, and whose users it lets in: ";

/** Keeps at the first start which entity the broker acts for: it can debit only users of that entity. */
function ownEntity({ config, ask, services }: Process, sql: Sql): Promise<Entity> {
  const isEmbedded = config.databaseUrl === undefined;
  const askName = async (): Promise<string> => {
    if (isEmbedded) return "Cupo";
    if (ask !== undefined) return await ask(ENTITY_QUESTION);
    throw new ConfigError([
      "CUPO_ENTITY is missing: the first start against a DATABASE_URL needs the name of your fintech.",
    ]);
  };
  const earlier = keptApiClient(config.dataDir, BROKER_CLIENT)?.entityId;
  return keepOwnEntity({ ...services, sql, wanted: config.entity, earlier, askName });
}

async function startAll(process: Process): Promise<Running["addresses"]> {
  const { config, database, services } = process;
  // With a database of one's own nothing else has made it yet.
  makeDataFolder(config.dataDir);
  const sql = await startService(process);
  const entity = await ownEntity(process, sql);
  const own = { sql, dataDir: config.dataDir, entityId: entity.id, ...services };
  const brokerSql = await startBroker(
    process,
    await ownApiClient({ ...own, name: BROKER_CLIENT, scopes: BROKER_SCOPES }),
  );
  const app = { what: "the app", url: `${config.publicOrigin}/` };
  const api = { what: "the API", url: `${config.baseUrl}/openapi.json` };
  if (!config.demo) return [app, api];
  const { shop, operator, file } = await seedDemo({ ...own, config, brokerSql, database });
  return [shop, app, api, operator, file];
}

async function startParts(process: Process): Promise<Running["addresses"]> {
  const { role, config } = process;
  if (role === "all") return startAll(process);
  if (role === "service") {
    const sql = await startService(process);
    if (config.entity !== undefined) await ownEntity(process, sql);
    return [{ what: "the API", url: `${config.baseUrl}/openapi.json` }];
  }
  await startBroker(process, { clientId: config.clientId ?? "", clientSecret: config.clientSecret ?? "" });
  return [{ what: "the app", url: `${config.publicOrigin}/` }];
}

/**
 * Starts the embedded database where no other is configured, then the parts of the role; stops what was started when
 * one of them fails.
 */
export async function start(options: StartOptions): Promise<Running> {
  const stops = new Stops();
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  try {
    const database = await startDatabase(options.config);
    stops.add(database.stop);
    const addresses = await startParts({ ...options, database, registry, stops });
    return { addresses, databaseLost: database.exited, stop: () => stops.run() };
  } catch (error) {
    await stops.run();
    throw error;
  }
}
