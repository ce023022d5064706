import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ATTACK } from "./support/attack-name.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** The last version before the rules that the attacks are named after. */
const EARLIER = "c8b49b1";
/** An attack that fails by one of these did no harm: it met a missing operation, or a fault of its own. */
const WRONG_FAILURE = /\b404\b|\b405\b|not_found|\bTypeError\b|\bReferenceError\b|Cannot find|timed out/;

interface Assertion {
  readonly title: string;
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly Assertion[];
  }[];
}

function firstLine(text = ""): string {
  return text.split("\n", 1)[0] ?? "";
}

/** Returns why an attack proves nothing; undefined if it did its harm and failed by its own assertion. */
function faultOf({ status, failureMessages: [message = ""] }: Assertion): string | undefined {
  if (status === "passed") return "did no harm there";
  if (status !== "failed") return "did not run: see what came before it";
  const line = firstLine(message);
  return line.startsWith("AssertionError") && !WRONG_FAILURE.test(line) ? undefined : "failed otherwise than by harm";
}

/** Makes the checkout of the earlier version, built, with the packages of this one. */
function checkOut(commit: string, folder: string): void {
  execFileSync("git", ["worktree", "add", "--detach", "--force", folder, commit], { cwd: ROOT, stdio: "inherit" });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  execFileSync(process.execPath, ["node_modules/vite/bin/vite.js", "build"], { cwd: folder, stdio: "ignore" });
}

function runAttacks(folder: string, files: readonly string[]): Report {
  const outputFile = join(folder, "attacks.json");
  const args = ["--project", "attacks", "--reporter=json", `--outputFile=${outputFile}`, ...files];
  spawnSync(process.execPath, [join(ROOT, "node_modules/vitest/vitest.mjs"), "run", ...args], {
    cwd: ROOT,
    env: { ...process.env, CUPO_ATTACKED_TREE: folder },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return JSON.parse(readFileSync(outputFile, "utf8")) as Report;
}

/** Prints each attack with the message that it failed by; returns how many proved nothing. */
function tell({ testResults }: Report): number {
  let faults = 0;
  let attacks = 0;
  for (const { name, message, assertionResults } of testResults) {
    if (assertionResults.length === 0) {
      faults += 1;
      console.error(`${name} did not run: ${firstLine(message)}`);
    }
    for (const assertion of assertionResults.filter(({ title }) => title.startsWith(ATTACK))) {
      attacks += 1;
      const fault = faultOf(assertion);
      if (fault !== undefined) faults += 1;
      const [message] = assertion.failureMessages;
      console.error(`${fault === undefined ? "ok   " : "FAULT"} ${assertion.fullName}: ${fault ?? firstLine(message)}`);
      if (fault !== undefined && message !== undefined) console.error(message.split("\n").slice(0, 6).join("\n"));
    }
  }
  console.error(`${attacks} attacks, ${faults} faults`);
  return attacks === 0 ? 1 : faults;
}

const USAGE = `Usage: npm run attacks -- [--only NN,NN] [--commit REV]

Runs the attacks against an earlier version, where each has to fail by its own assertion, to prove that it can.
  --only    the attacks of these files, by the numbers that they begin with
  --commit  the version, which must be in the clone (default: ${EARLIER})`;

/** Reads the command line; undefined, and the exit code is 2, for one that is not understood. */
function readOptions() {
  const text = (fallback: string) => ({ type: "string", default: fallback }) as const;
  const help = { type: "boolean", default: false } as const;
  try {
    return parseArgs({ options: { only: text(""), commit: text(EARLIER), help } }).values;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${USAGE}\n`);
    process.exitCode = 2;
    return undefined;
  }
}

/** Runs the attacks against an earlier version; the process ends with 1 if one of them proved nothing. */
function main(): void {
  const values = readOptions();
  if (values === undefined) return;
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const files = values.only.split(",").map((number) => `test/attacks/${number}`);
  const folder = mkdtempSync(join(tmpdir(), "cupo-earlier-"));
  try {
    checkOut(values.commit, folder);
    process.exitCode = tell(runAttacks(folder, files)) === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    execFileSync("git", ["worktree", "prune"], { cwd: ROOT });
  }
}

main();
