import type { Report } from "./report.ts";
import { type Measurement, sectionTitles } from "./sections.ts";
import type { Spread } from "./statistics.ts";
import { type Row, table } from "./table.ts";

function count(value: number): string {
  return Math.round(value).toString();
}

function decimal(value: number): string {
  return Number.isNaN(value) ? "–" : value.toFixed(value < 10 ? 2 : 1);
}

function range({ min, max }: Spread, write: (value: number) => string): string {
  return `${write(min)}–${write(max)}`;
}

function machineLines({ machine }: Report): readonly string[] {
  const settings = Object.entries(machine.database).map(([name, setting]) => `${name} ${setting}`);
  return [
    `Machine     ${machine.processors}, Node ${machine.node}, load before ${decimal(machine.loadBefore)}`,
    `PostgreSQL  ${settings.join(", ")}`,
  ];
}

function probeLines({ probes }: Report): readonly string[] {
  const row = ({ section, concurrency, perSecond, p50Ms, p99Ms, approved, commits }: Measurement): Row => [
    sectionTitles[section],
    String(concurrency),
    count(perSecond),
    decimal(p50Ms),
    decimal(p99Ms),
    decimal(approved / commits),
  ];
  const head = ["Looking for the best concurrency", "at once", "per second", "p50 ms", "p99 ms", "per commit"];
  return table([head, ...probes.map(row)]);
}

function sectionLines({ sections }: Report): readonly string[] {
  const head = ["Medians of all rounds", "at once", "per second", "min–max", "p50 ms", "p99 ms", "per commit"];
  const rows = sections.map(({ title, concurrency, perSecond, p50Ms, p99Ms, perCommit }) => [
    title,
    String(concurrency),
    count(perSecond.median),
    range(perSecond, count),
    decimal(p50Ms.median),
    decimal(p99Ms.median),
    decimal(perCommit),
  ]);
  return table([head, ...rows]);
}

function processorLines({ sections }: Report): readonly string[] {
  const head = ["Processor cores kept busy by", "service", "PostgreSQL", "load generator", "all, µs for each"];
  const rows = sections.map(({ title, cores, processorMicrosecondsEach }) => [
    title,
    decimal(cores.service),
    decimal(cores.database),
    decimal(cores.load),
    count(processorMicrosecondsEach.median),
  ]);
  return table([head, ...rows]);
}

function ratioLines({ ratios }: Report): readonly string[] {
  const rows = ratios.map(({ name, ratio }) => [name, decimal(ratio.median), range(ratio, decimal)]);
  return table([["Ratios, round by round", "median", "min–max"], ...rows]);
}

function checkLines({ checks }: Report): readonly string[] {
  const rows = checks.map(({ law, expected, found, holds }) => [law, expected, found, holds ? "ok" : "WRONG"]);
  return table([["The books after the run", "expected", "found", ""], ...rows]);
}

const BLOCKS = [machineLines, probeLines, sectionLines, processorLines, ratioLines, checkLines];

/** The report as text for people. */
export function printReport(report: Report): string {
  const blocks = BLOCKS.map((lines) =>
    lines(report)
      .map((line) => line.trimEnd())
      .join("\n"),
  );
  return `${blocks.join("\n\n")}\n`;
}
