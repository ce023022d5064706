import { mkdirSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

/** A part of the bench. */
type Part = "throughput" | "growth" | "widgets" | "scanner" | "history";

/** How the bench runs. */
export interface BenchOptions {
  readonly rounds: number;
  /** Seconds of one section in one round. */
  readonly seconds: number;
  /** The folder in which the run makes its own, on a disk. */
  readonly folder: string;
  /** A file for the figures as JSON. */
  readonly jsonFile: string | undefined;
  /** The parts that run: payments a second, the cost of reads as the history grows, time until a QR shows, scanning. */
  readonly parts: readonly Part[];
  /** Transactions of the large history. */
  readonly growTo: number;
  /** A folder for the CPU profiles of the service and the load generator. */
  readonly profileFolder: string | undefined;
}

/** How to call the bench. */
export const USAGE = `npm run bench -- [--rounds 5] [--seconds 4] [--json FILE] [--profile FOLDER] [--folder FOLDER]
                     [--only throughput|growth|widgets|scanner|history] [--grow-to 1000000]
  --rounds   how often each section runs; they take turns
  --seconds  how long a section runs each time
  --only     one of the parts: payments a second, the cost of reads as the history grows, the time until a QR shows,
             what the scanner reads, or how a long history scrolls
  --grow-to  transactions of the large history; the small one has 10000
  --json     also write the figures to this file
  --profile  write CPU profiles of the service and the load generator there
  --folder   where the database is made and removed: on a disk, or durability costs nothing and means nothing`;

const DEFAULT_ROUNDS = "5";
const DEFAULT_SECONDS = "4";
const MOST = 1000;
const PARTS: readonly Part[] = ["throughput", "growth", "widgets", "scanner", "history"];
/** Transactions of the small history. */
export const GROW_FROM = 10_000;
const DEFAULT_GROW_TO = "1000000";
const MOST_GROWTH = 10_000_000;
/** statfs types of file systems in memory: tmpfs, ramfs. */
const MEMORY_FILE_SYSTEMS: ReadonlySet<number> = new Set([0x01021994, 0x858458f6]);

function wholeNumber(name: string, value: string, least = 1, most = MOST): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new Error(`--${name} must be a whole number from ${least} to ${most}.`);
}

function partsOf(only: string | undefined): readonly Part[] {
  const parts = PARTS.filter((part) => only === undefined || part === only);
  if (parts.length === 0) throw new Error(`--only must be one of ${PARTS.join(", ")}.`);
  return parts;
}

/** Returns the system's temporary folder or, where that is in memory, the project's own, which git ignores. */
function defaultFolder(): string {
  if (!MEMORY_FILE_SYSTEMS.has(statfsSync(tmpdir()).type)) return tmpdir();
  const folder = join(import.meta.dirname, "../../data");
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Reads the command line; throws with a sentence that says what is wrong. */
export function readBenchOptions(commandLine: readonly string[]): BenchOptions {
  const text = (fallback: string) => ({ type: "string", default: fallback }) as const;
  const { values } = parseArgs({
    args: [...commandLine],
    options: {
      rounds: text(DEFAULT_ROUNDS),
      seconds: text(DEFAULT_SECONDS),
      only: { type: "string" },
      "grow-to": text(DEFAULT_GROW_TO),
      json: { type: "string" },
      profile: { type: "string" },
      folder: { type: "string" },
    },
  });
  const folder = resolve(values.folder ?? defaultFolder());
  if (MEMORY_FILE_SYSTEMS.has(statfsSync(folder).type)) {
    throw new Error(`${folder} is in memory: --folder must name one on a disk.`);
  }
  return {
    rounds: wholeNumber("rounds", values.rounds),
    seconds: wholeNumber("seconds", values.seconds),
    folder,
    parts: partsOf(values.only),
    growTo: wholeNumber("grow-to", values["grow-to"], GROW_FROM, MOST_GROWTH),
    jsonFile: values.json,
    profileFolder: values.profile,
  };
}
