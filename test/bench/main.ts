import { writeFileSync } from "node:fs";
import { type BenchOptions, readBenchOptions, USAGE } from "./bench-options.ts";
import { describeMachine } from "./describe-machine.ts";
import { benchGrowth } from "./growth/bench-growth.ts";
import { printGrowth } from "./growth/print-growth.ts";
import { benchHistory } from "./history/bench-history.ts";
import { printHistory } from "./history/print-history.ts";
import { keepReport } from "./keep-report.ts";
import { benchLighthouse } from "./lighthouse/bench-lighthouse.ts";
import { printLighthouse } from "./lighthouse/print-lighthouse.ts";
import { printReport } from "./print-report.ts";
import { makeReport, type Report } from "./report.ts";
import { runRounds } from "./run-rounds.ts";
import { benchScanner } from "./scanner/bench-scanner.ts";
import { printScanner } from "./scanner/print-scanner.ts";
import { benchSlowPhone } from "./slow-phone/bench-slow-phone.ts";
import { printSlowPhone } from "./slow-phone/print-slow-phone.ts";
import { startStage } from "./start-stage.ts";
import { benchWidgets } from "./widgets/bench-widgets.ts";
import { printWidgets } from "./widgets/print-widgets.ts";

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function benchThroughput(options: BenchOptions, interrupted: Promise<never>): Promise<Report> {
  tell(`Starting PostgreSQL in ${options.folder} and the service …`);
  const ending = new AbortController();
  const stage = await startStage({ ...options, interrupted: ending.signal });
  try {
    const machine = await describeMachine(stage.sql);
    const rounds = await Promise.race([runRounds(stage, options.takes, { ...options, tell }), interrupted]);
    return makeReport(machine, stage.load.kind, rounds);
  } finally {
    ending.abort();
    await stage.close();
  }
}

/** A signal asked the run to end: no fault, so no stack. */
class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}

function untilInterrupted(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => reject(new InterruptedError(`Stopped by ${signal}: nothing is left behind.`)));
  }
  // Nothing awaits it until the rounds run; an earlier signal takes effect as soon as they begin.
  promise.catch(() => undefined);
  return promise;
}

function optionsOf(commandLine: readonly string[]): BenchOptions | undefined {
  try {
    return readBenchOptions(commandLine);
  } catch (error) {
    tell(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    return undefined;
  }
}

/** Prints the throughput; true if the books are right. */
function tellThroughput(report: Report): boolean {
  process.stdout.write(`\n${printReport(report)}`);
  const takes = report.rounds.flatMap((round) => round.takes);
  for (const { scenario, figures } of takes) for (const sample of figures.samples) tell(`${scenario}: ${sample}`);
  return report.rounds.every(({ checks }) => checks.every(({ holds }) => holds));
}

async function bench(options: BenchOptions): Promise<number> {
  const interrupted = untilInterrupted();
  const { parts, jsonFile } = options;
  const throughput = options.takes.length > 0 ? await benchThroughput(options, interrupted) : undefined;
  if (throughput !== undefined && options.keep) keepReport(throughput);
  const isSound = throughput === undefined || tellThroughput(throughput);
  const growth = parts.includes("growth") ? await benchGrowth(options, interrupted, tell) : undefined;
  if (growth !== undefined) process.stdout.write(`\n${printGrowth(growth)}`);
  const widgets = parts.includes("widgets") ? await benchWidgets(interrupted, tell) : undefined;
  if (widgets !== undefined) process.stdout.write(`\n${printWidgets(widgets)}`);
  const scanner = parts.includes("scanner") ? await benchScanner(interrupted, tell) : undefined;
  if (scanner !== undefined) process.stdout.write(`\n${printScanner(scanner)}`);
  const history = parts.includes("history") ? await benchHistory(interrupted, tell) : undefined;
  if (history !== undefined) process.stdout.write(`\n${printHistory(history)}`);
  const slowPhone = parts.includes("slow-phone") ? await benchSlowPhone(interrupted, tell) : undefined;
  if (slowPhone !== undefined) process.stdout.write(`\n${printSlowPhone(slowPhone)}`);
  const lighthouse = parts.includes("lighthouse") ? await benchLighthouse(interrupted, tell) : undefined;
  if (lighthouse !== undefined) process.stdout.write(`\n${printLighthouse(lighthouse)}`);
  const figures = { ...throughput, growth, widgets, scanner, history, slowPhone, lighthouse };
  if (jsonFile !== undefined) writeFileSync(jsonFile, `${JSON.stringify(figures, null, 2)}\n`);
  return isSound ? 0 : 1;
}

async function main(): Promise<number> {
  if (process.argv.includes("--help")) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const options = optionsOf(process.argv.slice(2));
  if (options === undefined) return 2;
  try {
    return await bench(options);
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
    tell(error.message);
    return 1;
  }
}

process.exitCode = await main();
