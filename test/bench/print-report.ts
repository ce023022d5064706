import type { Report } from "./report.ts";
import type { Spread } from "./statistics.ts";
import { decimal, table } from "./table.ts";

const BYTES_PER_MEGABYTE = 1e6;

function range({ min, max }: Spread): string {
  return `${decimal(min)}–${decimal(max)}`;
}

function machineLines({ machine, generator }: Report): readonly string[] {
  const settings = Object.entries(machine.database).map(([name, setting]) => `${name} ${setting}`);
  const native = generator === "C" ? "in C" : "in Node, because there is no C compiler: it takes from what it measures";
  return [
    `Commit      ${machine.commit}`,
    `Machine     ${machine.processors}, Node ${machine.node}, load before ${decimal(machine.loadBefore)}`,
    `PostgreSQL  ${settings.join(", ")}`,
    `Load        ${native}`,
  ];
}

function contestLines({ contests }: Report): readonly string[] {
  if (contests.length === 0) return ["There is no pgbench, so nothing stands beside these figures."];
  const head = ["SQL alone, pgbench -M prepared", "at once", "per second", "min–max", "mean ms"];
  const rows = contests.map(({ contest, clients, perSecond, meanMs }) => [
    contest,
    String(clients),
    decimal(perSecond.median),
    range(perSecond),
    decimal(meanMs.median),
  ]);
  return table([head, ...rows]);
}

function speedLines({ rows }: Report): readonly string[] {
  const head = [
    "Over HTTP",
    "at once",
    "per second",
    "min–max",
    "÷ TPC-B",
    "p50 ms",
    "p99 ms",
    "p99.9",
    "p99 sent",
    "per commit",
    "remembered",
  ];
  const lines = rows.map((row) => [
    row.title,
    String(row.connections),
    decimal(row.perSecond.median),
    range(row.perSecond),
    decimal(row.ofTpcB.median),
    decimal(row.p50Ms.median),
    decimal(row.p99Ms.median),
    decimal(row.p999Ms.median),
    decimal(row.p99SentMs.median),
    decimal(row.perCommit),
    decimal(row.remembered),
  ]);
  return table([head, ...lines]);
}

function costLines({ rows }: Report): readonly string[] {
  const head = [
    "Cores",
    "at once",
    "service",
    "PostgreSQL",
    "load",
    "bytes each",
    "MB at most",
    "limited by",
    "answers",
  ];
  const lines = rows.map((row) => [
    row.title,
    String(row.connections),
    decimal(row.cores.service),
    decimal(row.cores.database),
    decimal(row.cores.load),
    decimal(row.bytesEach),
    decimal(row.memory / BYTES_PER_MEGABYTE),
    row.limit,
    Object.entries(row.statuses)
      .map(([status, count]) => `${status}: ${count}`)
      .join(", "),
  ]);
  return table([head, ...lines]);
}

function checkLines({ rounds }: Report): readonly string[] {
  const wrong = rounds.flatMap(({ checks }) => checks).filter(({ holds }) => !holds);
  if (wrong.length === 0) return [`No request failed, and the books are right after every round (${rounds.length}).`];
  const rows = wrong.map(({ law, expected, found }) => [law, expected, found]);
  return table([["WRONG", "expected", "found"], ...rows]);
}

const BLOCKS = [machineLines, contestLines, speedLines, costLines, checkLines];

/** The report as text for people. */
export function printReport(report: Report): string {
  const blocks = BLOCKS.map((lines) =>
    lines(report)
      .map((line) => line.trimEnd())
      .join("\n"),
  );
  return `${blocks.join("\n\n")}\n`;
}
