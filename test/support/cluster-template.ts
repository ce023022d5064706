import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepKey } from "../../server/database/keep-key.ts";
import { launchEmbedded } from "../../server/database/launch-embedded.ts";

/** Names the template's folder to the processes that run the tests. */
const VARIABLE = "CUPO_TEST_CLUSTER";

/** The parts of a data folder that are a cluster, and the password that opens it. */
const PARTS: readonly string[] = ["postgres", "database-password"];

const PREFIX = "cupo-cluster-";
/** Longer than any run takes. */
const OLD_MS = 3_600_000;

/** Makes once for a whole run the empty PostgreSQL cluster that every product of a test would make for itself. */
export async function setup(): Promise<void> {
  // The other project of the same run has made it.
  if (process.env[VARIABLE] !== undefined) return;
  const dataDir = join(tmpdir(), `${PREFIX}${randomBytes(8).toString("hex")}`);
  mkdirSync(dataDir);
  // The age is by the clock of the file system, which may differ from ours.
  removeLeftovers(statSync(dataDir).mtimeMs);
  process.env[VARIABLE] = dataDir;
  const database = await launchEmbedded({ dataDir, randomBytes, durable: false });
  await database.stop();
}

/** Removes it. */
export function teardown(): void {
  const dataDir = process.env[VARIABLE];
  if (dataDir !== undefined) rmSync(dataDir, { recursive: true, force: true });
}

/** Removes the template of every run that was killed before its teardown. */
function removeLeftovers(now: number): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name);
    const age = now - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? now);
    if (age > OLD_MS) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Copies the run's cluster into a data folder that does not exist yet: making one is half the time of a product's first
 * start, and has tests of its own. Does nothing outside a test run.
 */
export function copyCluster(dataDir: string): void {
  const template = process.env[VARIABLE];
  if (template === undefined || existsSync(dataDir)) return;
  // The key comes before the database, as in a first start: beside a database a missing key is a fault.
  keepKey(dataDir, randomBytes);
  execFileSync("cp", ["-a", ...PARTS.map((part) => join(template, part)), dataDir]);
}
