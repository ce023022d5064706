import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { connect, type Sql } from "../../server/database/connect.ts";
import { readPostmasterFile } from "../../server/database/embedded/postmaster-file.ts";
import { launchEmbedded } from "../../server/database/launch-embedded.ts";
import { type Child, startChild } from "./child.ts";
import type { LoadCalls } from "./load-process.ts";
import { type People, preparePeople } from "./prepare-people.ts";
import { type Service, startService } from "./start-service.ts";
import { makeTpcBTables, type TpcBScale } from "./tpc-b.ts";

/** The processes, connections and data that a run uses. */
export interface Stage {
  readonly sql: Sql;
  readonly databaseUrl: string;
  readonly postmasterPid: number;
  readonly service: Service;
  readonly load: Child<LoadCalls>;
  readonly people: People;
  readonly scale: TpcBScale;
  /** Ends everything and removes the folder. */
  close(): Promise<void>;
}

/** Options of a stage. */
export interface StageOptions {
  /** The run makes and removes a folder of its own in it. */
  readonly folder: string;
  readonly profileFolder: string | undefined;
}

/** The test run's own start removes what a killed run left under this name. */
const FOLDER_PREFIX = "cupo-test-bench-";

/**
 * pgbench's scale 50 with a tenth of its accounts: branches outnumber the connections, and everything fits into
 * memory, as the service's thousand users do.
 */
const SCALE: TpcBScale = Object.freeze({ branches: 50, accountsPerBranch: 10_000 });

/** Starts a durable PostgreSQL, the service and the load generator, each a process of its own, and makes the data. */
export async function startStage({ folder, profileFolder }: StageOptions): Promise<Stage> {
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
    await makeTpcBTables(sql, SCALE);

    if (profileFolder !== undefined) mkdirSync(profileFolder, { recursive: true });
    const logFile = join(dataDir, "service.log");
    const service = await startService({ databaseUrl: database.url, logFile, profileFolder });
    closings.push(() => service.stop());
    const load = startChild<LoadCalls>(join(import.meta.dirname, "load-process.ts"), profileFolder);
    closings.push(() => load.stop());
    const people = await preparePeople(sql, `http://127.0.0.1:${service.port}`);
    await sql`checkpoint`;
    const postmasterPid = readPostmasterFile(join(dataDir, "postgres"))?.pid ?? 0;
    return { sql, databaseUrl: database.url, postmasterPid, service, load, people, scale: SCALE, close };
  } catch (error) {
    await close();
    throw error;
  }
}
