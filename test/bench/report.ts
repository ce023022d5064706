import type { Machine } from "./describe-machine.ts";
import type { Measurement, Party } from "./measure.ts";
import type { Round } from "./run-rounds.ts";
import { type ScenarioName, scenarios } from "./scenarios.ts";
import { type Spread, spreadOf } from "./statistics.ts";

/** One row over all rounds. */
interface Row {
  readonly scenario: ScenarioName;
  readonly title: string;
  readonly connections: number;
  readonly ofPeak: number;
  readonly rate: number;
  readonly perSecond: Spread;
  /** Beside TPC-B, round by round; not a number where there is no pgbench. */
  readonly ofTpcB: Spread;
  readonly p50Ms: Spread;
  readonly p99Ms: Spread;
  readonly p999Ms: Spread;
  /** Without the time that requests waited for a free connection. */
  readonly p99SentMs: Spread;
  readonly perCommit: number;
  readonly remembered: number;
  readonly cores: Readonly<Record<Party, number>>;
  readonly limit: string;
  readonly bytesEach: number;
  readonly memory: number;
  /** Answers by status, all rounds together. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** A script of pgbench over all rounds. */
interface ContestRow {
  readonly contest: string;
  readonly clients: number;
  readonly perSecond: Spread;
  readonly meanMs: Spread;
}

/** All results of a run, as `--json` writes them. */
export interface Report {
  readonly measuredAt: string;
  readonly machine: Machine;
  readonly generator: "C" | "Node";
  readonly contests: readonly ContestRow[];
  readonly rows: readonly Row[];
  readonly rounds: readonly Round[];
}

/** From here on a processor, a thread or a process counts as full. */
const FULL = 0.85;
const ALL_FULL = 0.93;
const PER_MS = 1000;

/** Names what was full in the median round, in the order in which one hides the other. */
function limitOf({ cores, busiest }: Pick<Row, "cores"> & Pick<Measurement, "busiest">, processors: number): string {
  if (Number.isNaN(cores.service)) return "–";
  if (cores.load >= FULL) return "the load generator";
  if (cores.service + cores.database + cores.load >= processors * ALL_FULL) return "all processors";
  const full = [
    ...(busiest.service >= FULL ? ["a thread of the service"] : []),
    ...(busiest.database >= FULL ? ["a backend of PostgreSQL"] : []),
  ];
  return full.join(", ") || "waiting for one another";
}

function rowOf(takes: readonly Measurement[], tpcB: readonly number[], processors: number): Row {
  const { scenario, connections, ofPeak, note } = takes[0] as Measurement;
  const spread = (of: (take: Measurement) => number): Spread => spreadOf(takes.map(of));
  const median = (of: (take: Measurement) => number): number => spread(of).median;
  const statuses: Record<string, number> = {};
  for (const { figures } of takes) {
    for (const [status, count] of Object.entries(figures.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
  }
  const cores = {
    service: median((take) => take.cores.service),
    database: median((take) => take.cores.database),
    load: median((take) => take.cores.load),
  };
  const busiest = {
    service: median((take) => take.busiest.service),
    database: median((take) => take.busiest.database),
  };
  return {
    scenario,
    title: scenarios[scenario].title + note,
    connections,
    ofPeak,
    rate: median((take) => take.rate),
    perSecond: spread((take) => take.perSecond),
    ofTpcB: spreadOf(takes.map(({ perSecond }, round) => perSecond / (tpcB[round] ?? Number.NaN))),
    p50Ms: spread(({ figures }) => figures.sinceDue.p50 / PER_MS),
    p99Ms: spread(({ figures }) => figures.sinceDue.p99 / PER_MS),
    p99SentMs: spread(({ figures }) => figures.sinceSent.p99 / PER_MS),
    p999Ms: spread(({ figures }) => figures.sinceDue.p999 / PER_MS),
    perCommit: median((take) => take.perCommit),
    remembered: median((take) => take.remembered),
    cores,
    limit: ofPeak > 0 && ofPeak < 1 ? "the given rate" : limitOf({ cores, busiest }, processors),
    bytesEach: median((take) => take.bytesEach),
    memory: Math.max(...takes.map((take) => take.memory)),
    statuses,
  };
}

/** Summarizes a run. */
export function makeReport(machine: Machine, generator: Report["generator"], rounds: readonly Round[]): Report {
  const [first] = rounds;
  const contests = (first?.contests ?? []).map(({ contest, clients }, index) => ({
    contest,
    clients,
    perSecond: spreadOf(rounds.map((round) => round.contests[index]?.perSecond ?? Number.NaN)),
    meanMs: spreadOf(rounds.map((round) => round.contests[index]?.meanMs ?? Number.NaN)),
  }));
  const tpcB = rounds.map((round) => round.contests[0]?.perSecond ?? Number.NaN);
  const rows = (first?.takes ?? []).map((_, index) => {
    const takes = rounds.map(({ takes: all }) => all[index] as Measurement);
    return rowOf(takes, tpcB, machine.processorCount);
  });
  return { measuredAt: new Date().toISOString(), machine, generator, contests, rows, rounds };
}
