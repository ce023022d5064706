import { mkdirSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Take } from "./measure.ts";
import { type ScenarioName, scenarios } from "./scenarios.ts";

/** Parts whose rows are measured in turns on one service. */
const ROWS: Readonly<Record<string, readonly ScenarioName[]>> = Object.freeze({
  transfers: ["random", "hot", "out"],
  mixed: ["mixed", "mixed-hot", "mixed-out", "mixed-100k", "mixed-hot-100k"],
  batches: ["batches"],
  codes: ["codes"],
  reads: ["reads"],
  broker: ["broker"],
  open: [],
  storm: [],
});
/** The take that finds the peak, where no other does. */
const PEAK: Take = { scenario: "mixed", note: "", connections: 512, ofPeak: 0 };
/** Half of the peak in an open loop. */
const OPEN: readonly Take[] = [
  { scenario: "mixed", note: ", open loop at half of peak", connections: 1024, ofPeak: 0.5 },
];
/** Ten times the peak; the second begins as soon as the storm is over. */
const STORM: readonly Take[] = [
  { scenario: "mixed", note: ", storm of 10 × peak", connections: 15_000, ofPeak: 10 },
  { scenario: "mixed", note: ", after the storm", connections: 256, ofPeak: 0 },
];
/** Parts with a stage of their own. */
const APART = ["growth", "widgets", "scanner", "history", "slow-phone", "lighthouse"] as const;

/** How the bench runs. */
export interface BenchOptions {
  readonly rounds: number;
  /** Seconds of one section in one round. */
  readonly seconds: number;
  /** The folder in which the run makes its own, on a disk. */
  readonly folder: string;
  /** A file for the figures as JSON. */
  readonly jsonFile: string | undefined;
  /** The figures become those of docs/performance.md. */
  readonly keep: boolean;
  /** The names of the parts that run. */
  readonly parts: readonly string[];
  /** The rows of those parts that are measured in turns. */
  readonly takes: readonly Take[];
  /** Transactions of the large history. */
  readonly growTo: number;
  /** A folder for the CPU profile of the service. */
  readonly profileFolder: string | undefined;
}

/** How to call the bench. */
export const USAGE = `Usage: npm run bench -- [--only PART,…] [--quick] [--rounds 3] [--seconds 10]
                     [--connections 1,16,…] [--keep]
                     [--json FILE] [--profile FOLDER] [--folder FOLDER] [--grow-to 1000000]
  --only         some of the parts: transfers, mixed (rejections, replays, several entities, webhooks), batches, codes,
                 reads, broker, open (half of the peak in an open loop), storm (ten times it on 15 000 connections);
                 growth (the cost of reads as the history grows), widgets (the time until a QR shows), scanner,
                 history (how a long one scrolls), slow-phone (the waits on slow 3G), lighthouse (cold loads)
  --quick        one round of two seconds for each row
  --rounds       how often each row is measured; they take turns
  --seconds      how long each time, up to 1800; a closed loop ends after 60
  --connections  how many at once
  --grow-to      transactions of the large history; the small one has 10000
  --keep         keep the figures over HTTP in test/bench/results, and put them into docs/performance.md
  --json         also write the figures to this file
  --profile      write a CPU profile of the service there
  --folder       where the database is made and removed: on a disk, or durability costs nothing and means nothing

CUPO_BENCH_PGLEDGER and CUPO_BENCH_TB_PERF may name folders of SQL to be run beside it on the same PostgreSQL:
setup.sql makes the tables; every other file is a script of pgbench, which may say "-- transfers: 100" (that it makes)
and "-- clients: 1" (instead of 8), each in a line of its own.`;

const [DEFAULT_ROUNDS, QUICK_ROUNDS] = ["3", "1"];
const [DEFAULT_SECONDS, QUICK_SECONDS] = ["10", "2"];
const DEFAULT_CONNECTIONS = "1,16,64,256,512,1024";
const MOST_CONNECTIONS = 20_000;
const MOST = 1000;
const MOST_SECONDS = 1800;
const PARTS: readonly string[] = [...Object.keys(ROWS), ...APART];
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

function partsOf(only: string | undefined): readonly string[] {
  const parts = only?.split(",") ?? PARTS;
  for (const part of parts) if (!PARTS.includes(part)) throw new Error(`--only may name ${PARTS.join(", ")}.`);
  return parts;
}

function takesOf(parts: readonly string[], connections: string): readonly Take[] {
  const counts = connections.split(",").map((count) => wholeNumber("connections", count, 1, MOST_CONNECTIONS));
  const names = [...new Set(parts.flatMap((part) => ROWS[part] ?? []))];
  const closed: Take[] = names.flatMap((scenario) =>
    (scenarios[scenario].connections ?? counts).map((count) => ({ scenario, note: "", connections: count, ofPeak: 0 })),
  );
  if (!names.includes("mixed") && (parts.includes("open") || parts.includes("storm"))) closed.push(PEAK);
  return [...closed, ...(parts.includes("open") ? OPEN : []), ...(parts.includes("storm") ? STORM : [])];
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
      rounds: { type: "string" },
      seconds: { type: "string" },
      connections: text(DEFAULT_CONNECTIONS),
      keep: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
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
  const parts = partsOf(values.only);
  return {
    rounds: wholeNumber("rounds", values.rounds ?? (values.quick ? QUICK_ROUNDS : DEFAULT_ROUNDS)),
    seconds: wholeNumber(
      "seconds",
      values.seconds ?? (values.quick ? QUICK_SECONDS : DEFAULT_SECONDS),
      1,
      MOST_SECONDS,
    ),
    folder,
    parts,
    takes: takesOf(parts, values.connections),
    growTo: wholeNumber("grow-to", values["grow-to"], GROW_FROM, MOST_GROWTH),
    jsonFile: values.json,
    keep: values.keep,
    profileFolder: values.profile,
  };
}
