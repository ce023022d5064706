import { existsSync, readFileSync } from "node:fs";

/** How many tests a runner ran, by outcome: what `npm test` adds up for its closing line. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The counts of a runner that ran no test, where adding begins. */
export const NO_TESTS: TestCounts = Object.freeze({ passed: 0, failed: 0, skipped: 0 });

/** Adds two runners' counts. */
export function addCounts(left: TestCounts, right: TestCounts): TestCounts {
  return {
    passed: left.passed + right.passed,
    failed: left.failed + right.failed,
    skipped: left.skipped + right.skipped,
  };
}

/** Reads the counts out of a report of vitest's JSON reporter or of our browser runner; none when none was written. */
export function readCounts(file: string): TestCounts | undefined {
  if (!existsSync(file)) return undefined;
  const report = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  const number = (...names: readonly string[]): number =>
    names
      .map((name) => report[name])
      .filter((value) => typeof value === "number")
      .reduce((sum, value) => sum + value, 0);
  return {
    passed: number("passed", "numPassedTests"),
    failed: number("failed", "numFailedTests"),
    skipped: number("skipped", "numPendingTests", "numTodoTests"),
  };
}

/** The part of vitest's JSON report that names failures. */
interface VitestReport {
  readonly testResults?: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Lines of a failure's message that are repeated: the assertion, and where it stands. */
const MESSAGE_LINES = 12;

/** Reads each failed test of a report as file, name and the head of its message, to be repeated after all stages. */
export function readFailures(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  const report = JSON.parse(readFileSync(file, "utf8")) as VitestReport & { failures?: readonly string[] };
  const ofVitest = (report.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults
      .filter((test) => test.status === "failed")
      .map(({ fullName, failureMessages }) => `${name} > ${fullName}\n${failureMessages.join("\n")}`);
    return tests.length === 0 && status === "failed" ? [`${name}\n${message}`] : tests;
  });
  const head = (failure: string): string => failure.split("\n").slice(0, MESSAGE_LINES).join("\n");
  return [...ofVitest, ...(report.failures ?? [])].map(head);
}

/** Reads a runner's remarks on tests that it could not run at all; only our browser runner makes them. */
export function readRemarks(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  const { remarks } = JSON.parse(readFileSync(file, "utf8")) as { remarks?: readonly string[] };
  return remarks ?? [];
}

/**
 * The counts of a stage for the closing line. A stage that ended badly without naming a failed test (a file that did
 * not load, a crash, a failed check) counts as one failure, so that the line never says less than the exit code.
 */
export function stageCounts(exitCode: number, reported: TestCounts | undefined): TestCounts {
  const counts = reported ?? NO_TESTS;
  if (exitCode !== 0 && counts.failed === 0) return { ...counts, failed: 1 };
  return counts;
}
