import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bareEnvironment } from "../test/support/bare-environment.ts";
import { projectFiles } from "../test/tidy/project-files.ts";

const ROOT = join(import.meta.dirname, "..");
const WHO = { GIT_AUTHOR_NAME: "Ana", GIT_AUTHOR_EMAIL: "", GIT_COMMITTER_NAME: "Ana", GIT_COMMITTER_EMAIL: "" };
const ENVIRONMENT = { ...bareEnvironment(), ...WHO, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

const ROUGH = 'import { b } from "./b.ts";\nimport { a } from "./a.ts";\n\nexport const sum = a+b\n';
const FIXED = 'import { a } from "./a.ts";\nimport { b } from "./b.ts";\n\nexport const sum = a + b;\n';

let folder: string;

const git = (...parameters: string[]): string =>
  execFileSync("git", parameters, { cwd: folder, env: ENVIRONMENT, encoding: "utf8", stdio: "pipe" });
const commit = (...parameters: string[]) =>
  spawnSync("git", ["commit", "-m", "test: try", ...parameters], { cwd: folder, env: ENVIRONMENT, encoding: "utf8" });
const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
const read = (path: string): string => readFileSync(join(folder, path), "utf8");

const copy = (path: string): void => cpSync(join(ROOT, path), join(folder, path), { recursive: true });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cupo-fix-"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  for (const path of ["biome.json", ".gitignore"]) copy(path);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a commit with the hook", () => {
  beforeEach(() => {
    mkdirSync(join(folder, "build"));
    for (const path of [".githooks", "build/fix-staged.ts"]) copy(path);
    git("init", "--quiet");
    git("config", "core.hooksPath", ".githooks");
    git("add", "biome.json", ".gitignore");
    expect(commit().status).toBe(0);
  });

  it("has what is staged with its format and imports fixed, and so has the working tree", () => {
    write("dos y ñ.ts", ROUGH);
    write("picture.bin", "\0\r\n");
    git("add", "--all");
    expect(commit()).toMatchObject({ status: 0, stderr: expect.stringContaining("Fixed: dos y ñ.ts") });
    expect(git("show", "HEAD:dos y ñ.ts")).toBe(FIXED);
    expect(read("dos y ñ.ts")).toBe(FIXED);
    expect(git("status", "--short", "--untracked-files=no")).toBe("");
  });

  it("leaves alone what of a file is not staged", () => {
    write("a.ts", ROUGH);
    git("add", "a.ts");
    const rest = `${ROUGH}export const   later=1\n`;
    write("a.ts", rest);
    write("b.ts", ROUGH);
    expect(commit().status).toBe(0);
    expect(git("show", "HEAD:a.ts")).toBe(FIXED);
    expect([read("a.ts"), read("b.ts")]).toEqual([rest, ROUGH]);
    expect(git("status", "--short", "--untracked-files=no")).toBe(" M a.ts\n");
  });

  it("takes away files, and takes all changes with -a", () => {
    write("a.ts", FIXED);
    write("b.ts", FIXED);
    git("add", "a.ts", "b.ts");
    expect(commit().stderr).not.toContain("Fixed");
    rmSync(join(folder, "a.ts"));
    write("b.ts", ROUGH.replace("sum", "total"));
    expect(commit("-a").status).toBe(0);
    expect(git("ls-files")).toBe(".gitignore\nb.ts\nbiome.json\n");
    expect(git("show", "HEAD:b.ts")).toBe(FIXED.replace("sum", "total"));
    expect(git("status", "--short", "--untracked-files=no")).toBe("");
  });

  it("is refused for what cannot be fixed, and where a fix would not stay in the index", () => {
    write("a.ts", "export const sum = ;\n");
    git("add", "a.ts");
    expect(commit()).toMatchObject({ status: 1, stderr: expect.stringContaining("a.ts:1:20") });
    write("a.ts", ROUGH);
    expect(commit("a.ts")).toMatchObject({ status: 1, stderr: expect.stringContaining("Run npm run fix") });
    expect(git("log", "--format=%s")).toBe("test: try\n");
    expect(read("a.ts")).toBe(ROUGH);
  });
});

it("npm run fix changes nothing that passes the checks, and puts right what was roughened", () => {
  for (const path of ["package.json", "src"]) copy(path);
  write("src/money.ts", read("src/money.ts").replaceAll(/^ +/gm, "\t"));
  execFileSync("npm", ["run", "fix"], { cwd: folder, env: ENVIRONMENT, stdio: "pipe" });
  expect(projectFiles(folder, "src")).toEqual(projectFiles(ROOT, "src"));
});
