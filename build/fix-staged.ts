import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/** A staged file, with the mode that git keeps for it. */
interface StagedFile {
  readonly mode: string;
  readonly path: string;
}

const BIOME = join(import.meta.dirname, "../node_modules/.bin/biome");
/** Files that tell Biome how to format all others, and which to leave alone. */
const SETTINGS = ["biome.json", ".gitignore"];
/** Name of the index of `git commit FILE`: what a hook changes there is missing in the index that stays. */
const INDEX_OF_NAMED_FILES = /^next-index/;

function git(parameters: readonly string[], input = ""): string {
  return execFileSync("git", parameters, { input, encoding: "utf8" });
}

function ended(lines: readonly string[]): string {
  return lines.map((line) => `${line}\0`).join("");
}

function namesIn(output: string): readonly string[] {
  return output.split("\0").filter(Boolean);
}

/** Lists the files that the commit adds or changes; links and submodules are none. */
function stagedFiles(): readonly StagedFile[] {
  const fields = namesIn(git(["diff", "--cached", "--raw", "-z", "--no-renames", "--diff-filter=AM"]));
  return fields.flatMap((field, index) => {
    const mode = field.split(" ")[1] ?? "";
    return index % 2 === 0 && mode.startsWith("100") ? [{ mode, path: fields[index + 1] ?? "" }] : [];
  });
}

/** Puts fixed files into the commit, and into the working tree where it has nothing but what is staged. */
function keep(fixed: readonly StagedFile[], folder: string): void {
  const changedSince = new Set(namesIn(git(["diff", "--name-only", "-z"])));
  const entries = fixed.map(({ mode, path }) => {
    const id = git(["hash-object", "-w", "--no-filters", join(folder, path)]).trim();
    return `${mode} ${id}\t${path}`;
  });
  git(["update-index", "-z", "--index-info"], ended(entries));
  for (const { path } of fixed) if (!changedSince.has(path)) writeFileSync(path, readFileSync(join(folder, path)));
}

/** Fixes the staged content of files, in a folder of their own; returns why it cannot be committed, if it cannot. */
function fixIn(folder: string, staged: readonly StagedFile[]): string | undefined {
  const paths = new Set([...SETTINGS, ...staged.map(({ path }) => path)]);
  git(["checkout-index", "-z", "--stdin", `--prefix=${folder}/`], ended([...paths]));
  const contentOf = ({ path }: StagedFile): string => readFileSync(join(folder, path), "latin1");
  const before = new Map(staged.map((file) => [file, contentOf(file)]));
  const run = spawnSync(BIOME, ["check", "--write", "--no-errors-on-unmatched"], { cwd: folder, encoding: "utf8" });
  if (run.status !== 0) return `${run.stdout}${run.stderr}`;
  const fixed = staged.filter((file) => contentOf(file) !== before.get(file));
  if (fixed.length === 0) return undefined;
  const list = fixed.map(({ path }) => path).join(", ");
  if (INDEX_OF_NAMED_FILES.test(basename(git(["rev-parse", "--git-path", "index"])))) {
    return `Run npm run fix, because git commit with names of files takes them as they are: ${list}\n`;
  }
  keep(fixed, folder);
  process.stdout.write(`Fixed: ${list}\n`);
  return undefined;
}

const staged = stagedFiles();
const folder = mkdtempSync(join(tmpdir(), "cupo-staged-"));
try {
  const fault = staged.length === 0 ? undefined : fixIn(folder, staged);
  if (fault !== undefined) {
    process.stderr.write(fault);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
