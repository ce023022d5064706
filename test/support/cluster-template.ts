import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepKey } from "../../server/database/keep-key.ts";
import { launchEmbedded } from "../../server/database/launch-embedded.ts";
import { type MadePart, runPart } from "./run-parts.ts";

/** The parts of a data folder that are a cluster, and the password that opens it. */
const PARTS: readonly string[] = ["postgres", "database-password"];

const PREFIX = "cupo-cluster-";
/** Longer than any run takes. */
const OLD_MS = 3_600_000;

/** Makes once for a whole run the empty PostgreSQL cluster that every product of a test would make for itself. */
export async function makeClusterTemplate(): Promise<MadePart> {
  const dataDir = join(tmpdir(), `${PREFIX}${randomBytes(8).toString("hex")}`);
  mkdirSync(dataDir);
  // The age is by the clock of the file system, which may differ from ours.
  removeLeftovers(statSync(dataDir).mtimeMs);
  const database = await launchEmbedded({ dataDir, randomBytes, durable: false });
  await database.stop();
  return { place: dataDir, end: () => rmSync(dataDir, { recursive: true, force: true }) };
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
export async function copyCluster(dataDir: string): Promise<void> {
  if (existsSync(dataDir)) return;
  const template = await runPart("cluster");
  if (template === undefined) return;
  // The key comes before the database, as in a first start: beside a database a missing key is a fault.
  keepKey(dataDir, randomBytes);
  execFileSync("cp", ["-a", ...PARTS.map((part) => join(template, part)), dataDir]);
}
