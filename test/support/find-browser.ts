import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** A browser that tests need, and where it is looked for. */
export interface WantedBrowser {
  readonly name: string;
  /** The variable by which a person names its program. */
  readonly pathVariable: string;
  /** Debian's own place is the first of Linux. */
  readonly usualPlaces: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>>;
  readonly debianPackages: readonly string[];
  /** Returns why an installed program will not do; absent where any will. */
  readonly refuse?: (path: string) => string | undefined;
}

/** An installation from a slow mirror takes minutes; one that hangs must still end. */
const INSTALL_TIMEOUT_MS = 8 * 60_000;

/** Returns the path of an installed browser: the one that a person has named, which must work, else a usual one. */
export function installedBrowser(wanted: WantedBrowser): string | undefined {
  return namedByPerson(wanted) ?? installedHere(wanted);
}

function namedByPerson({ name, pathVariable, refuse }: WantedBrowser): string | undefined {
  const path = process.env[pathVariable];
  if (path === undefined || path === "") return undefined;
  const fault = existsSync(path) ? refuse?.(path) : "there is no such file";
  if (fault !== undefined) throw new Error(`${pathVariable} names ${path}: ${fault}. Correct it or unset it.`);
  return say(name, path, `named by ${pathVariable}`);
}

function installedHere({ name, usualPlaces, refuse }: WantedBrowser): string | undefined {
  const present = (usualPlaces[process.platform] ?? []).filter((path) => existsSync(path));
  for (const path of present) {
    const fault = refuse?.(path);
    if (fault === undefined) return say(name, path, "already installed");
    tell(name, `${path} will not do: ${fault}`);
  }
  return undefined;
}

/** Installs the distribution's packages, on Debian as root; gives the path of the program. */
export function debianBrowser({ name, debianPackages, usualPlaces, refuse }: WantedBrowser): string | undefined {
  if (!isRoot() || !isDebian()) return undefined;
  tell(name, `none found; installing Debian's: apt-get install ${debianPackages.join(" ")}`);
  const installed =
    run(name, "apt-get", ["update", "-q"]) &&
    run(name, "apt-get", ["install", "-y", "-q", "--no-install-recommends", ...debianPackages]);
  const path = usualPlaces.linux?.[0] ?? "";
  const fault = installed && existsSync(path) ? refuse?.(path) : "it could not be installed";
  if (fault === undefined) return say(name, path, "installed from Debian's package");
  tell(name, `Debian's package will not do: ${fault}`);
  return undefined;
}

/** True if packages of the system may be installed. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function isDebian(): boolean {
  const file = "/etc/os-release";
  return existsSync(file) && /^ID="?debian"?$/m.test(readFileSync(file, "utf8"));
}

/** False when the command failed: the next way of getting a browser is then tried, its output having told why. */
export function run(name: string, command: string, parameters: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  try {
    execFileSync(command, parameters, { stdio: ["ignore", "inherit", "inherit"], timeout: INSTALL_TIMEOUT_MS, env });
    return true;
  } catch (error) {
    tell(name, `${command} failed: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

/** Reports how a browser was found, and returns its path. */
export function say(name: string, path: string, how: string): string {
  tell(name, `${path} (${how})`);
  return path;
}

/** Writes a sentence about a browser to stderr; stdout belongs to the tests' own report. */
export function tell(name: string, sentence: string): void {
  process.stderr.write(`${name}: ${sentence}\n`);
}
