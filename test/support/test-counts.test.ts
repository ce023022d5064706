import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addCounts, NO_TESTS, readCounts, readFailures, readRemarks, stageCounts } from "./test-counts.ts";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cupo-counts-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function reportOf(content: unknown): string {
  const file = join(folder, "report.json");
  writeFileSync(file, JSON.stringify(content));
  return file;
}

describe("the counts of a test run", () => {
  it("are read from vitest's report", () => {
    const file = reportOf({
      numPassedTests: 7,
      numFailedTests: 2,
      numPendingTests: 1,
      numTodoTests: 1,
      success: false,
    });
    expect(readCounts(file)).toEqual({ passed: 7, failed: 2, skipped: 2 });
  });

  it("are read from the browser runner's report", () => {
    expect(readCounts(reportOf({ passed: 3, failed: 1, skipped: 0 }))).toEqual({ passed: 3, failed: 1, skipped: 0 });
  });

  it("are unknown where nothing was written", () => {
    expect(readCounts(join(folder, "absent.json"))).toBeUndefined();
  });

  it("come with what could not be run at all", () => {
    const remarks = ["Element tests: NOT RUN in Firefox."];
    expect(readRemarks(reportOf({ passed: 3, failed: 0, skipped: 0, remarks }))).toEqual(remarks);
    expect(readRemarks(reportOf({ numPassedTests: 7 }))).toEqual([]);
    expect(readRemarks(join(folder, "absent.json"))).toEqual([]);
  });

  it("come with the failed tests and the heads of their messages", () => {
    const test = { fullName: "a payment is made once", status: "failed", failureMessages: ["expected 2 to be 1"] };
    const passed = { fullName: "another", status: "passed", failureMessages: [] };
    const unloaded = { name: "b.test.ts", status: "failed", message: "no such module", assertionResults: [] };
    const report = {
      testResults: [{ name: "a.test.ts", status: "failed", message: "", assertionResults: [test, passed] }, unloaded],
    };
    const failures = ["a.test.ts > a payment is made once\nexpected 2 to be 1", "b.test.ts\nno such module"];
    expect(readFailures(reportOf(report))).toEqual(failures);
    const long = `c.browser.test.ts > x\n${"line\n".repeat(50)}`;
    expect(readFailures(reportOf({ failures: [long] }))[0]?.split("\n")).toHaveLength(12);
    expect(readFailures(join(folder, "absent.json"))).toEqual([]);
  });

  it("add up", () => {
    const sum = addCounts({ passed: 1, failed: 2, skipped: 3 }, { passed: 10, failed: 20, skipped: 30 });
    expect(sum).toEqual({ passed: 11, failed: 22, skipped: 33 });
  });

  it("never say less than the exit code: a crash without a named test is one failure", () => {
    expect(stageCounts(1, undefined)).toEqual({ ...NO_TESTS, failed: 1 });
    expect(stageCounts(1, { passed: 5, failed: 0, skipped: 0 })).toEqual({ passed: 5, failed: 1, skipped: 0 });
    expect(stageCounts(1, { passed: 5, failed: 2, skipped: 0 })).toEqual({ passed: 5, failed: 2, skipped: 0 });
    expect(stageCounts(0, undefined)).toEqual(NO_TESTS);
  });
});
