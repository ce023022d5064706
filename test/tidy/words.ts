import { isTestCode, lineAt, type ProjectFile } from "./project-files.ts";

interface WordRule {
  readonly word: RegExp;
  /** Which part of a file the word is looked for in: code alone, or sentences too. */
  readonly within: "code" | "text";
  readonly applies: (path: string) => boolean;
  readonly instead: string;
}

const CONFIGURED_AT = ["server/config/config.ts", "server/main.ts", "server/command.ts"];
/** The files that pass the real clock and real randomness to everything else. */
const CLOCK_HANDED_OUT_AT = ["server/main.ts", "server/command.ts", "server/config/config.ts", "pwa/main.ts"];

const LOCKED_ADDRESS = /^\s*"resolved":\s*"https?:/;
const CONFIGURED_REGISTRY = /^\s*(?:@[\w-]+:)?registry\s*=/;
const LINKED_REGISTRY = /https?:\/\/(?:registry\.|[^\s"'/]*\/(?:repository|artifactory)\/)/;
const REGISTRY_ADDRESS = anyOf([LOCKED_ADDRESS, CONFIGURED_REGISTRY, LINKED_REGISTRY]);

function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"), "gm");
}

function isProduct(path: string): boolean {
  return path.endsWith(".ts") && !path.endsWith(".d.ts") && !isTestCode(path) && path.includes("/");
}

function isProductBut(places: readonly string[]): (path: string) => boolean {
  return (path) => isProduct(path) && !places.includes(path);
}

const WORD_RULES: readonly WordRule[] = [
  {
    word: /\bprocess\s*\.\s*env\b/g,
    within: "code",
    applies: isProductBut(CONFIGURED_AT),
    instead: "take the value from the frozen Config of server/config/config.ts, as a parameter",
  },
  {
    word: /\bDate\s*\.\s*now\s*\(|\bnew\s+Date\s*(?:\(\s*\)|(?![\w\s(]))/g,
    within: "code",
    applies: isProductBut(CLOCK_HANDED_OUT_AT),
    instead: "take the clock as a parameter",
  },
  {
    word: /\bMath\s*\.\s*random\s*\(/g,
    within: "code",
    applies: isProductBut(CLOCK_HANDED_OUT_AT),
    instead: "take the source of randomness as a parameter",
  },
  {
    word: /(?<![\w$.])(?:self|caches|indexedDB)\b(?!\s*\??:)/g,
    within: "code",
    applies: (path) => path.startsWith("src/") && isProduct(path),
    instead: "src runs in Node and the browser alike: keep it in pwa/",
  },
  {
    word: /(?:[:<|&]\s*|\b(?:as|extends)\s+)any\b(?!\s*[(:.])/g,
    within: "code",
    applies: (path) => path.endsWith(".ts"),
    instead: "write the exact type, or unknown and a check",
  },
  {
    word: /\bconsole\s*\.\s*(?:log|info|debug|dir|table)\b/g,
    within: "code",
    applies: isProductBut(["server/main.ts"]),
    instead: "the server has a logger; the browser tells people on the page",
  },
  {
    word: /\b(?:TO[D]O|FIX[M]E|X[X]X|HA[C]K)\b/g,
    within: "text",
    applies: (path) => path !== "package-lock.json",
    instead: "do it, or open an issue",
  },
  {
    word: REGISTRY_ADDRESS,
    within: "text",
    applies: () => true,
    instead: "no registry address: everyone uses their own (npm install --omit-lockfile-registry-resolved)",
  },
];

/** The words of a file that have a better replacement, each with its line and that replacement. */
export function wordFaults(file: ProjectFile): readonly string[] {
  return WORD_RULES.filter(({ applies }) => applies(file.path)).flatMap(({ word, within, instead }) =>
    [...file[within].matchAll(word)].map(({ 0: found, index }) => {
      const line = lineAt(file.text, index);
      return `${file.path}:${line} says "${found.trim()}": ${instead}`;
    }),
  );
}

const BANNED_ROOMS = /^(?:utils?|helpers?|commons?|types?|misc|stuff)$/;
const KEBAB_CASE = /^\.?[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/;
const GIVEN_NAMES: readonly string[] = ["LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];

/** Lists the faults in the names of a file and of the folders on its path. */
export function nameFaults(path: string): readonly string[] {
  return path.split("/").flatMap((name) => {
    const stem = name.replace(/\..*$/, "");
    if (BANNED_ROOMS.test(stem)) return [`${path} has a room "${stem}": name it after what it is about`];
    if (KEBAB_CASE.test(name) || GIVEN_NAMES.includes(name)) return [];
    return [`${path}: "${name}" is not kebab-case (named after the main export)`];
  });
}
