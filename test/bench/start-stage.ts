import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { connect, type Sql } from "../../server/database/connect.ts";
import { readPostmasterFile } from "../../server/database/embedded/postmaster-file.ts";
import { launchEmbedded } from "../../server/database/launch-embedded.ts";
import { type LoadGenerator, prepareLoad } from "./load/run-load.ts";
import { type BenchEntity, makePeople, type PeopleOptions, QUOTA, tokensOf } from "./people.ts";
import { prepareContests, type SqlContest } from "./pgbench.ts";
import type { Crowd } from "./scenarios.ts";
import { startBroker } from "./start-broker.ts";
import { startReceiver } from "./start-receiver.ts";
import { type Service, startService } from "./start-service.ts";

/** A process of Cupo that is measured, its database, and the people behind it as lists of the load generator. */
export interface Place {
  readonly sql: Sql;
  readonly pid: number;
  readonly port: number;
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /** The quota of all users, in minor units: payments leave it as it is. */
  quota(): bigint;
}

/** The processes, connections and data that a run uses. */
export interface Stage {
  readonly sql: Sql;
  readonly postmasterPid: number;
  readonly load: LoadGenerator;
  /** Scripts for pgbench; none without pgbench. */
  readonly contests: readonly SqlContest[];
  readonly interrupted: AbortSignal;
  /** The place of a crowd; both are made when they are first asked for. */
  placeOf(crowd: Crowd): Promise<Place>;
  /** Webhook messages that arrived so far. */
  messages(): number;
  /** Ends everything and removes the folder. */
  close(): Promise<void>;
}

/** Options of a stage. */
export interface StageOptions {
  /** The run makes and removes a folder of its own in it. */
  readonly folder: string;
  readonly profileFolder: string | undefined;
  readonly interrupted: AbortSignal;
}

const KEY_BYTES = 32;
const MINOR_UNITS = 100n;
/** Tokens last for an hour, and a take for at most half of one. */
const TOKENS_STAY_MS = 20 * 60_000;
/** The test run's own start removes what a killed run left under this name. */
const FOLDER_PREFIX = "cupo-test-bench-";

function listsOf(entities: readonly BenchEntity[]): Place["lists"] {
  const lists = entities.map(({ tokens, users, hotUser }, entity) => ({
    [`tokens${entity}`]: tokens,
    [`users${entity}`]: users,
    [`hot${entity}`]: [hotUser],
  }));
  return Object.assign({}, ...lists);
}

/** The service as a place: the people of each crowd are made when they are first asked for. */
function atService(options: Omit<PeopleOptions, keyof Crowd>, { pid, port }: Service) {
  const made = new Map<Crowd, readonly BenchEntity[]>();
  let freshAt = performance.now();
  const refresh = async (): Promise<void> => {
    if (performance.now() - freshAt < TOKENS_STAY_MS) return;
    freshAt = performance.now();
    for (const [crowd, entities] of made) {
      const fresh = entities.map(async (each) => ({ ...each, tokens: await tokensOf(port, each.clients) }));
      made.set(crowd, await Promise.all(fresh));
    }
  };
  const users = () => [...made.values()].flat().reduce((sum, { users: some }) => sum + some.length + 1, 0);
  const quota = () => BigInt(QUOTA) * BigInt(users()) * MINOR_UNITS;
  return async (crowd: Crowd): Promise<Place> => {
    await refresh();
    const people = made.get(crowd) ?? (await makePeople({ ...options, ...crowd }));
    if (!made.has(crowd)) await options.sql`checkpoint`;
    made.set(crowd, people);
    return { sql: options.sql, pid, port, lists: listsOf(people), quota };
  };
}

/** Starts a durable PostgreSQL and the service, each a process of its own, and compiles the load generator. */
export async function startStage({ folder, profileFolder, interrupted }: StageOptions): Promise<Stage> {
  const dataDir = join(folder, `${FOLDER_PREFIX}${randomBytes(8).toString("hex")}`);
  const closings: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const step of closings.splice(0).reverse()) await step();
  };
  try {
    const database = await launchEmbedded({ dataDir, randomBytes });
    closings.push(() => database.stop());
    const sql = connect(database.url, { max: 4, applicationName: "cupo bench" });
    closings.push(() => sql.end());
    const contests = await prepareContests(sql, database.url, interrupted);
    const load = prepareLoad(dataDir, interrupted);

    if (profileFolder !== undefined) mkdirSync(profileFolder, { recursive: true });
    const logFile = join(dataDir, "service.log");
    const receiver = await startReceiver();
    closings.push(() => receiver.close());
    const service = await startService({
      databaseUrl: database.url,
      logFile,
      profileFolder,
      role: "service",
      portVariable: "CUPO_SERVICE_PORT",
      environment: { CUPO_KEY: randomBytes(KEY_BYTES).toString("base64"), CUPO_WEBHOOK_PRIVATE: "127.0.0.1/32" },
    });
    closings.push(() => service.stop());
    await sql`checkpoint`;
    const postmasterPid = readPostmasterFile(join(dataDir, "postgres"))?.pid ?? 0;
    const atThisService = atService({ sql, port: service.port, load, webhookUrl: receiver.url }, service);
    let broker: Promise<Place> | undefined;
    const placeOf = (crowd: Crowd): Promise<Place> => {
      if (crowd.at === "service") return atThisService(crowd);
      broker ??= startBroker({ sql, databaseUrl: database.url, dataDir, load, accounts: crowd.accounts, closings });
      return broker;
    };
    const { messages } = receiver;
    return { messages, sql, postmasterPid, load, contests, interrupted, placeOf, close };
  } catch (error) {
    await close();
    throw error;
  }
}
