import type { Check } from "./check-books.ts";
import type { Machine } from "./describe-machine.ts";
import type { Measured } from "./run-rounds.ts";
import { type Measurement, type Party, type SectionName, sectionTitles } from "./sections.ts";
import { type Spread, spreadOf } from "./statistics.ts";

/** One section over all rounds. */
interface SectionSummary {
  readonly section: SectionName;
  readonly title: string;
  readonly concurrency: number;
  readonly perSecond: Spread;
  readonly p50Ms: Spread;
  readonly p99Ms: Spread;
  /** Cores that each kept busy, in the median round. */
  readonly cores: Readonly<Record<Party, number>>;
  /** Processor time of all three together for one transaction: it varies least with the machine's state. */
  readonly processorMicrosecondsEach: Spread;
  readonly perCommit: number;
}

/** How one section compares with another, round by round. */
interface Ratio {
  readonly name: string;
  readonly ratio: Spread;
}

/** All results of a run, as `--json` writes them. */
export interface Report {
  readonly machine: Machine;
  readonly probes: readonly Measurement[];
  readonly sections: readonly SectionSummary[];
  readonly ratios: readonly Ratio[];
  readonly checks: readonly Check[];
  readonly rounds: Measured["rounds"];
}

const RATIOS: readonly (readonly [string, SectionName, SectionName])[] = [
  ["(b)/(a) transfers beside TPC-B-like", "transfers", "tpcB"],
  ["(c)/(b) hot account beside random", "hotTransfers", "transfers"],
  ["(d)/(b) with idempotency key", "keyedTransfers", "transfers"],
];

function summarize(section: SectionName, { rounds }: Measured): SectionSummary {
  const takes = rounds.flat().filter((measurement) => measurement.section === section);
  const spread = (figure: (measurement: Measurement) => number): Spread => spreadOf(takes.map(figure));
  const sum = (figure: (measurement: Measurement) => number): number =>
    takes.map(figure).reduce((total, each) => total + each, 0);
  return {
    section,
    title: sectionTitles[section],
    concurrency: takes[0]?.concurrency ?? 0,
    perSecond: spread((take) => take.perSecond),
    p50Ms: spread((take) => take.p50Ms),
    p99Ms: spread((take) => take.p99Ms),
    cores: {
      service: spread(({ cores }) => cores.service).median,
      database: spread(({ cores }) => cores.database).median,
      load: spread(({ cores }) => cores.load).median,
    },
    processorMicrosecondsEach: spread(
      ({ cores, perSecond }) => ((cores.service + cores.database + cores.load) / perSecond) * 1e6,
    ),
    perCommit: sum((take) => take.approved) / sum((take) => take.commits),
  };
}

/** Summarizes a run. */
export function makeReport(machine: Machine, measured: Measured, checks: readonly Check[]): Report {
  const { probes, rounds } = measured;
  const perSecond = (round: readonly Measurement[], section: SectionName): number =>
    round.find((measurement) => measurement.section === section)?.perSecond ?? Number.NaN;
  return {
    machine,
    probes,
    sections: (Object.keys(sectionTitles) as SectionName[]).map((section) => summarize(section, measured)),
    ratios: RATIOS.map(([name, over, under]) => ({
      name,
      ratio: spreadOf(rounds.map((round) => perSecond(round, over) / perSecond(round, under))),
    })),
    checks,
    rounds,
  };
}
