import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { keepKey } from "./keep-key.ts";
import { findRunningEmbedded, LaunchError } from "./launch-embedded.ts";
import { type DatabaseChoice, type StartedDatabase, startDatabase } from "./start-database.ts";

/**
 * The database for a short piece of work: the one that is configured; else the embedded one of the running Cupo; else,
 * when none runs, the same one, run for as long as the work takes.
 */
export async function reachDatabase(
  choice: DatabaseChoice,
  randomBytes: (length: number) => Uint8Array,
): Promise<StartedDatabase> {
  const { databaseUrl, dataDir, key } = choice;
  if (databaseUrl !== undefined) return startDatabase(choice);
  // A folder that was named by mistake must not become a second, empty Cupo.
  if (!existsSync(join(dataDir, "postgres"))) {
    throw new LaunchError(
      `There is no database in ${resolve(dataDir)} yet: run npm start once, or set CUPO_DATA_DIR or DATABASE_URL.`,
    );
  }
  const url = await findRunningEmbedded(dataDir);
  if (url === undefined) return startDatabase(choice);
  const kept = key ?? keepKey(dataDir, randomBytes);
  return { url, key: kept, exited: new Promise(() => undefined), stop: async () => undefined };
}
