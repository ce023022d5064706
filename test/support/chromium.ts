import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { chromium } from "playwright-core";

/** What every browser of the tests is started with: containers lack the sandbox's privileges, tests need no updates. */
export const CHROMIUM_ARGUMENTS: readonly string[] = Object.freeze([
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-dev-shm-usage",
]);

/** An installation from a slow mirror takes minutes; one that hangs must still end. */
const INSTALL_TIMEOUT_MS = 8 * 60_000;

const USUAL_PLACES: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = Object.freeze({
  linux: [
    "/usr/bin/chromium",
    "/usr/bin/google-chrome-stable",
    "/usr/bin/google-chrome",
    "/opt/google/chrome/chrome",
    "/usr/lib/chromium/chromium",
  ],
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    join(homedir(), "Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
  ],
  win32: ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].map((name) =>
    join(process.env[name] ?? "C:\\", "Google\\Chrome\\Application\\chrome.exe"),
  ),
});

let found: string | undefined;

/**
 * The path of a Chromium for the browser tests: `CHROME_PATH`, else an installed one, else on Debian as root the
 * distribution's package, else playwright's own download. Says what it did; throws with what to do when nothing worked.
 */
export function findChromium(): string {
  found ??= namedByPerson() ?? installedHere() ?? debianPackage() ?? playwrightDownload();
  return found;
}

function namedByPerson(): string | undefined {
  const path = process.env.CHROME_PATH;
  if (path === undefined || path === "") return undefined;
  if (!existsSync(path)) throw new Error(`CHROME_PATH names ${path}, where there is no file. Correct it or unset it.`);
  return say(path, "named by CHROME_PATH");
}

function installedHere(): string | undefined {
  const usual = (USUAL_PLACES[process.platform] ?? []).find((path) => existsSync(path));
  if (usual !== undefined) return say(usual, "already installed");
  const downloaded = chromium.executablePath();
  return existsSync(downloaded) ? say(downloaded, "downloaded by playwright before") : undefined;
}

function debianPackage(): string | undefined {
  if (!isRoot() || !isDebian()) return undefined;
  tell("none found; installing Debian's package: apt-get install chromium");
  const installed =
    run("apt-get", ["update", "-q"]) && run("apt-get", ["install", "-y", "-q", "--no-install-recommends", "chromium"]);
  const path = "/usr/bin/chromium";
  return installed && existsSync(path) ? say(path, "installed from Debian's package") : undefined;
}

function playwrightDownload(): string {
  tell("none found; downloading one: npx playwright-core install chromium");
  const commandLine = join(dirname(createRequire(import.meta.url).resolve("playwright-core/package.json")), "cli.js");
  const withLibraries = isRoot() && process.platform === "linux" ? ["--with-deps"] : [];
  const downloaded = run(process.execPath, [commandLine, "install", ...withLibraries, "chromium"]);
  const path = chromium.executablePath();
  if (downloaded && existsSync(path)) return say(path, "downloaded by playwright");
  throw new Error(
    "No Chromium for the browser tests, and neither a package nor a download could be had (see above). " +
      "Install Chromium or Google Chrome, or set CHROME_PATH to its program, then run the tests again.",
  );
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function isDebian(): boolean {
  const file = "/etc/os-release";
  return existsSync(file) && /^ID="?debian"?$/m.test(readFileSync(file, "utf8"));
}

/** False when the command failed: the next way of getting a browser is then tried, its output having told why. */
function run(command: string, parameters: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  try {
    execFileSync(command, parameters, { stdio: ["ignore", "inherit", "inherit"], timeout: INSTALL_TIMEOUT_MS, env });
    return true;
  } catch (error) {
    tell(`${command} failed: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

function say(path: string, how: string): string {
  tell(`${path} (${how})`);
  return path;
}

function tell(sentence: string): void {
  process.stderr.write(`Chromium: ${sentence}\n`);
}
