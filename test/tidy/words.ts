import type { ESTree } from "rolldown/utils";
import { isTestCode, lineAt, type ProjectFile, visit } from "./project-files.ts";

/** A name that stands in a file: `caches`, `process.env`, `Date.now()`. */
interface Use {
  readonly name: string;
  readonly start: number;
}

interface WordRule {
  readonly word: RegExp;
  /** The part of a file that is searched: each name that its code uses, or its text with all sentences. */
  readonly within: "uses" | "text";
  readonly applies: (path: string) => boolean;
  readonly instead: string;
}

const CONFIGURED_AT = ["server/config/config.ts", "server/main.ts", "server/command.ts", "build/dev/main.ts"];
/** The files that pass the real clock and real randomness to everything else. */
const CLOCK_HANDED_OUT_AT = [
  "server/start/system-services.ts",
  "server/command.ts",
  "server/config/config.ts",
  "pwa/main.ts",
];

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
    word: /(?:^|\.)process\.env$/,
    within: "uses",
    applies: isProductBut(CONFIGURED_AT),
    instead: "take the value from the frozen Config of server/config/config.ts, as a parameter",
  },
  {
    word: /(?:^|\.)Date(?:\.now)?\(\)$/,
    within: "uses",
    applies: isProductBut(CLOCK_HANDED_OUT_AT),
    instead: "take the clock as a parameter",
  },
  {
    word: /(?:^|\.)Math\.random\(\)$/,
    within: "uses",
    applies: isProductBut(CLOCK_HANDED_OUT_AT),
    instead: "take the source of randomness as a parameter",
  },
  {
    word: /^(?:self|caches|indexedDB)$/,
    within: "uses",
    applies: (path) => path.startsWith("src/") && isProduct(path),
    instead: "src runs in Node and the browser alike: keep it in pwa/",
  },
  {
    word: /^instanceof DOMException$/,
    within: "uses",
    applies: (path) => isProduct(path),
    instead: "compare nameOfError of src/name-of-error.ts: in WebKit an OverconstrainedError is no DOMException",
  },
  {
    word: /^any$/,
    within: "uses",
    applies: (path) => path.endsWith(".ts"),
    instead: "write the exact type, or unknown and a check",
  },
  {
    word: /(?:^|\.)console\.(?:log|info|debug|dir|table)$/,
    within: "uses",
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
  const rules = WORD_RULES.filter(({ applies }) => applies(file.path));
  const uses = rules.some(({ within }) => within === "uses") ? usesIn(file) : [];
  return rules.flatMap(({ word, within, instead }) => {
    const found = within === "uses" ? uses.filter(({ name }) => word.test(name)) : wordsIn(file.text, word);
    return found.map(({ name, start }) => `${file.path}:${lineAt(file.text, start)} says "${name}": ${instead}`);
  });
}

function wordsIn(text: string, word: RegExp): readonly Use[] {
  return [...text.matchAll(word)].map(({ 0: found, index }) => ({ name: found.trim(), start: index }));
}

/**
 * The names that code uses: variables, members as `a.b`, calls as `a.b()`, classes as `instanceof A`, and the type
 * `any`; keys of members not.
 */
function usesIn(file: ProjectFile): readonly Use[] {
  const uses: Use[] = [];
  const keys = new Set<ESTree.Node>();
  const add = (name: string, { start }: ESTree.Span) => uses.push({ name, start });
  const addKey = ({ key, computed }: { readonly key: ESTree.Node; readonly computed: boolean }) => {
    if (!computed) keys.add(key);
  };
  visit(file, {
    MemberExpression: (node) => {
      addKey({ key: node.property, computed: node.computed });
      add(chainOf(node), node);
    },
    Property: addKey,
    PropertyDefinition: addKey,
    MethodDefinition: addKey,
    TSPropertySignature: addKey,
    TSMethodSignature: addKey,
    Identifier: (node) => {
      if (!keys.has(node)) add(node.name, node);
    },
    CallExpression: (node) => add(`${chainOf(node.callee)}()`, node),
    NewExpression: (node) => {
      if (node.arguments.length === 0) add(`${chainOf(node.callee)}()`, node);
    },
    TSAnyKeyword: (node) => add("any", node),
    BinaryExpression: (node) => {
      if (node.operator === "instanceof") add(`instanceof ${chainOf(node.right)}`, node);
    },
  });
  return uses;
}

/** `a.b` of `a.b`, `a["b"]` and `a?.b`; an expression that is no name is empty in it. */
function chainOf(node: ESTree.Node): string {
  if (node.type === "Identifier" || node.type === "PrivateIdentifier") return node.name;
  if (node.type === "Literal") return String(node.value);
  return node.type === "MemberExpression" ? `${chainOf(node.object)}.${chainOf(node.property)}` : "";
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
