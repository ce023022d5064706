import { join } from "node:path";
import type { Config } from "../config.ts";
import { connect } from "../database/connect.ts";
import { migrate } from "../database/migrate.ts";
import { reachDatabase } from "../database/reach-database.ts";
import type { CommandWorld, Job, Said } from "./terminal-command.ts";

const MIGRATIONS = join(import.meta.dirname, "../database/migrations/service");
const CLOSE_SECONDS = 5;

/** Does a command's work on the database that the configuration names, beside a running Cupo or without one. */
export async function runJob(
  job: Job,
  config: Config,
  world: Pick<CommandWorld, "clock" | "random" | "newId">,
): Promise<Said> {
  const database = await reachDatabase(config, world.random);
  try {
    const sql = connect(database.url, { max: 1, applicationName: "cupo command" });
    try {
      await migrate(sql, MIGRATIONS);
      const { authUrl, timeZone, currency } = config;
      return await job({ ...world, sql, key: database.key, authUrl, timeZone, currency });
    } finally {
      await sql.end({ timeout: CLOSE_SECONDS });
    }
  } finally {
    await database.stop();
  }
}
