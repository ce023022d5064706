import { AggregatorRegistry, collectDefaultMetrics, Registry } from "prom-client";
import { BROKER_SCOPES } from "../broker/access/policy/policy-scopes.ts";
import { type Config, ConfigError } from "../config/config.ts";
import { connect, type Sql } from "../database/connect.ts";
import { makeDataFolder } from "../database/make-data-folder.ts";
import { startDatabase } from "../database/start-database.ts";
import { seedDemo } from "../demo/seed-demo.ts";
import type { HttpLog } from "../http/http-log.ts";
import { keptApiClient, ownApiClient } from "../runtime/own-api-client.ts";
import { type Entity, keepOwnEntity } from "../runtime/own-entity.ts";
import { Threads } from "../threads/threads.ts";
import { type BrokerClient, startBroker } from "./broker-part.ts";
import type { BrokerThreadData } from "./broker-thread.ts";
import { type Process, type Role, Stops } from "./parts.ts";
import { startService } from "./service-part.ts";
import { httpThreadsOf, type SystemServices } from "./system-services.ts";

/** A running Cupo: the addresses to show, and the way to stop it. */
export interface Running {
  /** Addresses that a person may open, each with a short description. */
  readonly addresses: readonly { readonly what: string; readonly url: string }[];
  /** Settles when the embedded database ends unasked; never for a database of one's own. */
  readonly databaseLost: Promise<void>;
  /** Rejects when a thread ends unasked. */
  readonly threadLost: Promise<never>;
  /** Finishes what is under way and stops everything that was started. */
  stop(): Promise<void>;
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

/** A process whose person at the terminal may be asked. */
type StartedProcess = Process & Pick<StartOptions, "ask">;

/** The name of the broker's API client. */
const BROKER_CLIENT = "broker";
const ENTITY_QUESTION = "The name of the fintech that this installation acts for, and whose users it lets in: ";

/** Keeps at the first start which entity the broker acts for: it can debit only users of that entity. */
function ownEntity({ config, ask, services }: StartedProcess, sql: Sql): Promise<Entity> {
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

/** Starts the broker in a thread of its own, which the writer does not wait for. */
async function startBrokerThread(process: Process, client: BrokerClient): Promise<void> {
  const { config, role, version, database, stops, threads, metrics } = process;
  const data: BrokerThreadData = { config, role, version, client, database: { url: database.url, key: database.key } };
  const script = new URL("./broker-thread.ts", import.meta.url);
  const thread = threads.start({ script, name: "broker", data, answers: { metrics } });
  stops.add(() => thread.close());
  await thread.channel.ask("start");
}

async function startAll(process: StartedProcess): Promise<Running["addresses"]> {
  const { config, database, services } = process;
  // With a database of one's own nothing else has made it yet.
  makeDataFolder(config.dataDir);
  const sql = await startService(process);
  const entity = await ownEntity(process, sql);
  const own = { sql, dataDir: config.dataDir, entityId: entity.id, ...services };
  const client = await ownApiClient({ ...own, name: BROKER_CLIENT, scopes: BROKER_SCOPES });
  if (process.httpThreads === 0) await startBroker(process, client);
  else await startBrokerThread(process, client);
  const app = { what: "the app", url: `${config.publicOrigin}/` };
  const api = { what: "the API", url: `${config.baseUrl}/openapi.json` };
  if (!config.demo) return [app, api];
  const brokerSql = connect(database.url, { max: 1, applicationName: "cupo demo" });
  const { shop, operator, file } = await seedDemo({ ...own, config, brokerSql, database });
  await brokerSql.end();
  return [shop, app, api, operator, file];
}

async function startParts(process: StartedProcess): Promise<Running["addresses"]> {
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

/** The metrics of the process and of its threads as text. */
async function readMetrics(registry: Registry, threads: Threads): Promise<string> {
  const parts = await threads.askAll<object[]>("metrics");
  return (await registry.metrics()) + (await AggregatorRegistry.aggregate(parts).metrics());
}

/**
 * Starts the embedded database where no other is configured, then the parts of the role; stops what was started when
 * one of them fails.
 */
export async function start(options: StartOptions): Promise<Running> {
  const stops = new Stops();
  const threads = new Threads();
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const shared = { ...{ stops, threads, registry }, metrics: () => readMetrics(registry, threads) };
  const httpThreads = options.role === "broker" ? 0 : httpThreadsOf(options.config, options.role);
  try {
    const database = await startDatabase(options.config);
    stops.add(database.stop);
    const addresses = await startParts({ ...options, ...shared, database, httpThreads });
    return { addresses, databaseLost: database.exited, threadLost: threads.lost, stop: () => stops.run() };
  } catch (error) {
    await stops.run();
    throw error;
  }
}
