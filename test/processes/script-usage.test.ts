import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { bareEnvironment } from "../support/bare-environment.ts";

const ROOT = join(import.meta.dirname, "../..");
const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};
/** The scripts of our own: those of other tools, such as `vite build`, have a usage of theirs. */
const OWN = Object.keys(scripts).filter(
  (name) => /^(?:exec )?node (?!-e)/.test(scripts[name] ?? "") && name !== "prestart",
);

describe("npm run SCRIPT -- --help", () => {
  it("is asked of many", () => {
    expect(OWN).toEqual(expect.arrayContaining(["start", "service", "dev", "test", "bench", "sizes", "merchant"]));
  });

  it.each(OWN)("shows the usage of %s, and does nothing", async (name) => {
    const [, ...words] = (scripts[name] ?? "").replace(/^exec /, "").split(" ");
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...words, "--help"], {
      cwd: ROOT,
      env: bareEnvironment(),
    });
    expect(stdout).toMatch(new RegExp(`^Usage: .*npm (?:run )?${name}\\b`));
    expect(stderr).toBe("");
  });

  it.each(["sizes", "languages", "test", "attacks", "bench"])(
    "refuses a word that %s does not take, with the usage",
    async (name) => {
      const [, ...words] = (scripts[name] ?? "").split(" ");
      const refused = promisify(execFile)(process.execPath, [...words, "--no-such-flag"], { cwd: ROOT });
      await expect(refused).rejects.toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringContaining("Usage: npm"),
      });
    },
  );
});
