import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { debianBrowser, installedBrowser, tell, type WantedBrowser } from "./find-browser.ts";

/** The oldest version that these tests were tried with; the internals that they use came a few versions earlier. */
const OLDEST_VERSION = 153;

const VERSION_TIMEOUT_MS = 30_000;

const FIREFOX: WantedBrowser = Object.freeze({
  name: "Firefox",
  pathVariable: "FIREFOX_PATH",
  debianPackages: ["firefox-esr"],
  usualPlaces: {
    linux: ["/usr/bin/firefox-esr", "/usr/bin/firefox", "/usr/lib/firefox/firefox", "/opt/firefox/firefox"],
    darwin: ["/Applications/Firefox.app/Contents/MacOS/firefox"],
    win32: ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].map((name) =>
      join(process.env[name] ?? "C:\\", "Mozilla Firefox\\firefox.exe"),
    ),
  },
  refuse: tooOld,
});

/** The remark where no Firefox can be had: what is missing, and what to do. */
export const WITHOUT_FIREFOX =
  "NOT RUN in Firefox, because none could be had: install Firefox (on Debian: apt-get install firefox-esr), " +
  "or set FIREFOX_PATH to its program";

/**
 * The path of a Firefox for those tests: `FIREFOX_PATH`, else an installed one, else on Debian as root the
 * distribution's package. Without one the same tests run in Chromium alone, and the run says so.
 */
export function findFirefox(tests: string): string | undefined {
  const found = installedBrowser(FIREFOX) ?? debianBrowser(FIREFOX);
  if (found === undefined) tell(FIREFOX.name, `${tests}: ${WITHOUT_FIREFOX}.`);
  return found;
}

function tooOld(path: string): string | undefined {
  const told = versionOf(path);
  const version = Number(/ (\d+)\./.exec(told)?.[1] ?? 0);
  if (version >= OLDEST_VERSION) return undefined;
  return `it says "${told}", and these tests need version ${OLDEST_VERSION} or later`;
}

function versionOf(path: string): string {
  try {
    return execFileSync(path, ["--version"], { encoding: "utf8", timeout: VERSION_TIMEOUT_MS }).trim();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
