import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockFolder } from "../../server/database/embedded/lock-folder.ts";
import { endOrphan } from "../../server/database/embedded/run-postmaster.ts";
import { LaunchError, launchEmbedded } from "../../server/database/launch-embedded.ts";
import { makeTemplates } from "./database-templates.ts";
import type { MadePart } from "./run-parts.ts";

const PREFIX = "cupo-test-";
/** A folder younger than this may belong to a run that is just starting. */
const YOUNG_MS = 60_000;

/** Starts one PostgreSQL for a whole test run; quick, because a crash may lose its data, which ends the run anyway. */
export async function startSharedDatabase(): Promise<MadePart> {
  await removeLeftovers();
  const dataDir = join(tmpdir(), `${PREFIX}${randomBytes(8).toString("hex")}`);
  const database = await launchEmbedded({ dataDir, randomBytes, durable: false });
  const end = async (): Promise<void> => {
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await makeTemplates(database.url);
  } catch (error) {
    await end();
    throw error;
  }
  return { place: database.url, end };
}

/** Ends the PostgreSQL of every run that was killed before its teardown. */
async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name);
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > YOUNG_MS && existsSync(join(folder, "lock"))) await removeUnlessUsed(folder);
  }
}

async function removeUnlessUsed(folder: string): Promise<void> {
  try {
    const lock = lockFolder(folder);
    if (lock === undefined) return;
    await endOrphan(join(folder, "postgres"));
    lock.release();
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    // The folder is another user's, whose own next run removes it.
    if (!(error instanceof LaunchError)) throw error;
  }
}
