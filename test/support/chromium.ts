import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { chromium } from "playwright-core";
import { debianBrowser, installedBrowser, isRoot, run, say, tell, type WantedBrowser } from "./find-browser.ts";

/** Arguments of every Chromium of the tests: containers lack the sandbox's privileges, tests need no updates. */
export const CHROMIUM_ARGUMENTS: readonly string[] = Object.freeze([
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-dev-shm-usage",
]);

const CHROMIUM: WantedBrowser = Object.freeze({
  name: "Chromium",
  pathVariable: "CHROME_PATH",
  debianPackages: ["chromium"],
  usualPlaces: {
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
  },
});

let found: string | undefined;

/**
 * The path of a Chromium for the browser tests: `CHROME_PATH`, else an installed one, else on Debian as root the
 * distribution's package, else playwright's own download. Says what it did; throws with what to do when nothing worked.
 */
export function findChromium(): string {
  found ??= installedBrowser(CHROMIUM) ?? downloadedBefore() ?? debianBrowser(CHROMIUM) ?? playwrightDownload();
  return found;
}

function downloadedBefore(): string | undefined {
  const path = chromium.executablePath();
  return existsSync(path) ? say(CHROMIUM.name, path, "downloaded by playwright before") : undefined;
}

function playwrightDownload(): string {
  const { name } = CHROMIUM;
  tell(name, "none found; downloading one: npx playwright-core install chromium");
  const commandLine = join(dirname(createRequire(import.meta.url).resolve("playwright-core/package.json")), "cli.js");
  const withLibraries = isRoot() && process.platform === "linux" ? ["--with-deps"] : [];
  const downloaded = run(name, process.execPath, [commandLine, "install", ...withLibraries, "chromium"]);
  const path = chromium.executablePath();
  if (downloaded && existsSync(path)) return say(name, path, "downloaded by playwright");
  throw new Error(
    "No Chromium for the browser tests, and neither a package nor a download could be had (see above). " +
      "Install Chromium or Google Chrome, or set CHROME_PATH to its program, then run the tests again.",
  );
}
