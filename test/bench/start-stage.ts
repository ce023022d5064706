import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { connect, type Sql } from "../../server/database/connect.ts";
import { readPostmasterFile } from "../../server/database/embedded/postmaster-file.ts";
import { launchEmbedded } from "../../server/database/launch-embedded.ts";
import { type LoadGenerator, prepareLoad } from "./load/run-load.ts";
import { type BenchEntity, makePeople, type PeopleOptions, tokensOf } from "./people.ts";
import { prepareContests, type SqlContest } from "./pgbench.ts";
import type { Crowd } from "./scenarios.ts";
import { startReceiver } from "./start-receiver.ts";
import { type Service, startService } from "./start-service.ts";

/** The processes, connections and data that a run uses. */
export interface Stage {
  readonly sql: Sql;
  readonly postmasterPid: number;
  readonly service: Service;
  readonly load: LoadGenerator;
  /** Scripts for pgbench; none without pgbench. */
  readonly contests: readonly SqlContest[];
  readonly interrupted: AbortSignal;
  /** The people of a crowd, made when it is first asked for. */
  crowd(crowd: Crowd): Promise<readonly BenchEntity[]>;
  /** Users that were made so far. */
  userCount(): number;
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

/** Tokens last for an hour, and a take for at most half of one. */
const TOKENS_STAY_MS = 20 * 60_000;
/** The test run's own start removes what a killed run left under this name. */
const FOLDER_PREFIX = "cupo-test-bench-";

function crowdsOf(options: Omit<PeopleOptions, keyof Crowd>) {
  const made = new Map<Crowd, readonly BenchEntity[]>();
  let freshAt = performance.now();
  const refresh = async (): Promise<void> => {
    if (performance.now() - freshAt < TOKENS_STAY_MS) return;
    freshAt = performance.now();
    for (const [crowd, entities] of made) {
      const fresh = entities.map(async (each) => ({ ...each, tokens: await tokensOf(options.port, each.clients) }));
      made.set(crowd, await Promise.all(fresh));
    }
  };
  return {
    userCount: () => [...made.values()].flat().reduce((sum, { users }) => sum + users.length + 1, 0),
    async crowd(crowd: Crowd): Promise<readonly BenchEntity[]> {
      await refresh();
      const people = made.get(crowd) ?? (await makePeople({ ...options, ...crowd }));
      if (!made.has(crowd)) await options.sql`checkpoint`;
      made.set(crowd, people);
      return people;
    },
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
    const contests = await prepareContests(sql, database.url);
    const load = prepareLoad(dataDir, interrupted);

    if (profileFolder !== undefined) mkdirSync(profileFolder, { recursive: true });
    const logFile = join(dataDir, "service.log");
    const receiver = await startReceiver();
    closings.push(() => receiver.close());
    const service = await startService({ databaseUrl: database.url, logFile, profileFolder });
    closings.push(() => service.stop());
    await sql`checkpoint`;
    const postmasterPid = readPostmasterFile(join(dataDir, "postgres"))?.pid ?? 0;
    const crowds = crowdsOf({ sql, port: service.port, load, webhookUrl: receiver.url });
    const { messages } = receiver;
    return { messages, sql, postmasterPid, service, load, contests, interrupted, ...crowds, close };
  } catch (error) {
    await close();
    throw error;
  }
}
