import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Report } from "./report.ts";
import { decimal } from "./table.ts";

const RESULTS = join(import.meta.dirname, "results");
const PAGE = join(import.meta.dirname, "../../docs/performance.md");
const [BEGIN, END] = ["<!-- measured -->", "<!-- /measured -->"];
const BYTES_PER_MEGABYTE = 1e6;

function rowsOf({ contests, rows }: Report): readonly (readonly string[])[] {
  const sql = contests.map(({ contest, clients, perSecond, meanMs }) => [
    `${contest}, SQL alone`,
    String(clients),
    decimal(perSecond.median),
    decimal(perSecond.median / (contests[0]?.perSecond.median ?? Number.NaN)),
    `mean ${decimal(meanMs.median)}`,
    ...["", "", "", "", ""],
  ]);
  const http = rows.map((row) => [
    row.title,
    String(row.connections),
    decimal(row.perSecond.median),
    decimal(row.ofTpcB.median),
    decimal(row.p50Ms.median),
    decimal(row.p99Ms.median),
    decimal(row.memory / BYTES_PER_MEGABYTE),
    decimal(row.bytesEach),
    decimal(row.remembered),
    row.limit,
  ]);
  return [...sql, ...http];
}

function tableOf(report: Report, file: string): string {
  const { machine, rounds, generator } = report;
  const head = ["", "at once", "per second", "÷ TPC-B", "p50 ms", "p99 ms", "MB of memory", "bytes each"];
  const lines = [
    [...head, "remembered", "limited by"],
    ["---", ...Array(head.length).fill("--:"), "---"],
    ...rowsOf(report),
  ];
  const { commit, processors, node, database } = machine;
  const about = [
    `Commit ${commit}: ${processors}, Node ${node}, PostgreSQL ${database.server_version}. Generator in ${generator}.`,
    `Medians of all rounds (${rounds.length}); all figures: [${file}](../test/bench/results/${file}).`,
  ];
  return `${about.join("\n")}\n\n${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}`;
}

/** Keeps a report as a file of its own, and makes its figures the table of docs/performance.md. */
export function keepReport(report: Report): void {
  const file = `${report.measuredAt.slice(0, 10)}-${report.machine.commit.replace("+", "-changed") || "unknown"}.json`;
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, file), `${JSON.stringify(report)}\n`);
  const page = readFileSync(PAGE, "utf8");
  const before = page.slice(0, page.indexOf(BEGIN) + BEGIN.length);
  writeFileSync(PAGE, `${before}\n${tableOf(report, file)}\n${page.slice(page.indexOf(END))}`);
}
