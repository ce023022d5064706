import { describe, expect, it } from "vitest";
import { citationFaults } from "./citations.ts";
import { openingFaults } from "./comments.ts";
import { undocumentedExports } from "./exports.ts";
import { importFaults, importsIn } from "./imports.ts";
import { oneImporterFiles } from "./one-importer.ts";
import { projectFile } from "./project-files.ts";
import { textFaults } from "./texts.ts";
import { nameFaults, wordFaults } from "./words.ts";

describe("a script", () => {
  it("that cannot be parsed is an error with its path", () => {
    expect(() => projectFile("src/x.ts", "const a = (;")).toThrow("src/x.ts cannot be parsed");
  });
});

describe("the imports of a file", () => {
  it("are found however they are written, and never in sentences", () => {
    const text = [
      'import { a } from "./a.ts";',
      "import type {\n  B,\n} from './b.ts';",
      'import "./c.ts";',
      'export * from "./d.ts";',
      'const e = await import("./e.ts");',
      '// import f from "./f.ts"',
      "const g = `import g from './g.ts'`;",
      "const h = await import(`./h.ts`);",
      'type I = import("./i.ts").I;',
      'import j = require("./j.ts");',
      'export { "k-l" as k } from "./k.ts";',
      'const m = require.resolve("./m.ts");',
    ].join("\n");
    const found = importsIn(projectFile("src/x.ts", text)).map(({ specifier }) => specifier);
    expect(found.sort()).toEqual(["a", "b", "c", "d", "e", "h", "i", "j", "k", "m"].map((name) => `./${name}.ts`));
  });

  it.each([
    ["src/x.ts", "../server/config.ts"],
    ["src/x.ts", "node:fs"],
    ["src/x.ts", "lit"],
    ["widgets/x.ts", "../pwa/main.ts"],
    ["server/ledger/x.ts", "../../src/client.ts"],
    ["server/ledger/x.ts", "pg"],
    ["server/service/x.ts", "../http/app.ts"],
    ["server/service/x.ts", "hono"],
    ["server/broker/x.ts", "../service/app.ts"],
    ["server/http/x.ts", "../service/app.ts"],
    ["server/main.ts", "../test/support/chromium.ts"],
    ["server/http/x.ts", "left-pad"],
    ["server/http/x.ts", "hono-like"],
  ])("in %s may not be of %s", (path, specifier) => {
    expect(importFaults(projectFile(path, `import { a } from "${specifier}";`))).toHaveLength(1);
  });

  it.each([
    ["src/client.ts", "ky"],
    ["widgets/pay-qr/x.ts", "lit/directives/live.js"],
    ["pwa/pages/x.ts", "../../widgets/pay-qr.ts"],
    ["pwa/scan/x.ts", "./scan-worker.ts?worker&url"],
    ["server/ledger/x.ts", "../../src/money.ts"],
    ["server/http/x.ts", "hono/body-limit"],
    ["server/main.ts", "./broker/app.ts"],
    ["server/http/x.test.ts", "../service/app.ts"],
  ])("in %s may be of %s", (path, specifier) => {
    expect(importFaults(projectFile(path, `import { a } from "${specifier}";`))).toEqual([]);
  });
});

describe("a text that people read", () => {
  const faultsIn = (text: string, path = "pwa/x.ts") => textFaults(projectFile(path, text));

  it.each([
    "html`<p class=${tone}>Paid</p>`",
    "html`<p>${amount} paid</p>`",
    'html`<button aria-label="Close" @click=${() => close()}>×</button>`',
    'html`<p>${isPaid ? "You paid" : words.pending}</p>`',
    'announce("El código venció");',
    'const hint = "¿Ya pagaste?";',
  ])("is not written into the code: %s", (text) => expect(faultsIn(text)).toHaveLength(1));

  it.each([
    'html`<p class="soft small" aria-label=${words.close}>${words.paid} · 1&nbsp;%</p>`',
    "html`<p>Cupo</p>`",
    "css`p { color: red; }`",
    'new Error("The route of this page loads the words with it.");',
    'const known = ["Samsung Internet", "primary large", "Enter"];',
  ])("is not found in %s", (text) => expect(faultsIn(text)).toEqual([]));

  it.each(["pwa/x.test.ts", "widgets/demo/x.ts", "src/language/es/app/x.ts", "server/x.ts"])(
    "may stand in %s",
    (path) => expect(faultsIn("html`<p>Paid</p>`", path)).toEqual([]),
  );
});

describe("a word with a better replacement", () => {
  it.each([
    ["server/http/x.ts", "const a = process.env.A;"],
    ["pwa/scan/x.ts", "const a = error instanceof DOMException;"],
    ["server/http/x.ts", 'const a = process["env"].A;'],
    ["server/http/x.ts", "const { A } = globalThis.process?.env;"],
    ["server/http/x.ts", "const a = Date.now();"],
    ["server/http/x.ts", "const a = new Date();"],
    ["server/http/x.ts", "const a = new globalThis.Date;"],
    ["server/http/x.ts", "const a = `${new Date()}`;"],
    ["widgets/x.ts", "const a = Math.random();"],
    ["src/x.ts", "const a = self.crypto;"],
    ["src/x.ts", "const a = { caches };"],
    ["src/x.ts", "function a(b: any) {}"],
    ["src/x.ts", "type A = Record<string, any>;"],
    ["src/x.ts", "const a = b as any;"],
    ["src/x.ts", "console.log(a);"],
    ["src/x.ts", `// ${"TO"}${"DO"} later`],
    [".npmrc", "registry=https://example.com/"],
    ["package-lock.json", '  "resolved": "https://example.com/a.tgz",'],
  ])("in %s is found: %s", (path, text) => {
    expect(wordFaults(projectFile(path, text))).toHaveLength(1);
  });

  it.each([
    ["server/config/config.ts", "const a = process.env.A;"],
    ["pwa/scan/x.ts", "const a = error instanceof ApiError;"],
    ["pwa/store/x.ts", 'throw new DOMException("", "AbortError");'],
    ["server/http/x.test.ts", "const a = Date.now();"],
    ["server/http/x.ts", "const a = new Date(milliseconds);"],
    ["server/http/x.ts", "function a(now: () => number = Date.now) {}"],
    ["server/http/x.ts", "// the clock is no Date.now()"],
    ["src/x.ts", "const a = { self: 1, b: c.caches };"],
    ["src/x.ts", "interface A { self: B; caches(): C }"],
    ["src/x.ts", "const a = /any as any/;"],
    ["src/x.ts", "const a = await Promise.any(b);"],
    ["src/x.ts", "const company = many;"],
    ["pwa/x.ts", "await caches.keys();"],
  ])("in %s is not taken for another: %s", (path, text) => {
    expect(wordFaults(projectFile(path, text))).toEqual([]);
  });
});

describe("a name", () => {
  it.each([
    "src/utils/money.ts",
    "server/helpers.ts",
    "src/types.ts",
    "src/common/a.ts",
    "src/PayQr.ts",
    "src/pay_qr.ts",
  ])("%s is refused", (path) => expect(nameFaults(path)).toHaveLength(1));

  it.each(["server/database/migrations/0001-create-ledger.sql", "src/x.browser.test.ts", "README.md", ".ci/run"])(
    "%s is accepted",
    (path) => expect(nameFaults(path)).toEqual([]),
  );
});

describe("an export", () => {
  it("without a sentence is found", () => {
    const text = "/** For a. */\nexport const a = 1;\nexport function b() {}\nexport type C = 1;";
    expect(undocumentedExports(projectFile("src/x.ts", text))).toHaveLength(2);
  });

  it.each([
    "export const { a, b: [c] } = d;",
    "export default function () {}",
    "const a = 1;\nexport { a };",
    "/* Plain. */\nexport const a = 1;",
    "/** */\nexport const a = 1;",
    '"/** Quoted. */"\nexport const a = 1;',
    'export const a = 1;\nconst row = { summary: "Of another" };',
  ])("without a sentence is found in %j", (text) => {
    expect(undocumentedExports(projectFile("src/x.ts", text))).not.toEqual([]);
  });

  it.each([
    'export { a } from "./a.ts";',
    'import { a } from "./a.ts";\nexport { a };',
    "/** For a. */\n/* @__NO_SIDE_EFFECTS__ */\nexport function a() {}",
    "/** For a. */\nexport function a(b: 1): 1;\nexport function a(b: 2): 2;",
  ])("has its sentence elsewhere in %j", (text) => {
    expect(undocumentedExports(projectFile("src/x.ts", text))).toEqual([]);
  });

  it("of a contract row is told by its summary", () => {
    const text = 'export const user = operation({ name: "user", summary: "Read a user" });\nexport const b = 1;';
    expect(undocumentedExports(projectFile("src/contract/x.ts", text))).toEqual([expect.stringContaining("exports b")]);
  });

  it("of a type shares the sentence of its schema", () => {
    const text = "/** For a. */\nexport const Amount = 1;\nexport type Amount = Infer<typeof Amount>;";
    expect(undocumentedExports(projectFile("src/x.ts", text))).toEqual([]);
  });
});

describe("a comment", () => {
  it.each([
    "// What is left.",
    "/** Whether it is so. */",
    "/**\n * Who pays.\n */",
    "  // Whoever asks.",
    "const a = 1; // What is left.",
  ])("%j opens with a question word", (text) => expect(openingFaults(projectFile("src/x.ts", text))).toHaveLength(1));

  it.each([
    "/** True if it is so. */",
    "// Says what is left.",
    'const a = "What is left";',
    "const a = `\n// What is left.\n`;",
  ])("%j is as it should be", (text) => expect(openingFaults(projectFile("src/x.ts", text))).toEqual([]));
});

describe("a citation", () => {
  const documents = new Map([
    ["security", "# Security\n\n## Rules\n\n- **Demo.** Off.\n\n1. First.\n\n## Demo\n\nText."],
  ]);
  const faults = (text: string) => citationFaults(projectFile("src/x.ts", text), documents);

  it.each([
    "// Off (security: Demo).",
    "/** Off (security: Rules, Demo). */",
    "/**\n * (security:\n * Rules, 1)\n */",
    "// Off (security: Rules,\n// Demo).",
  ])("%j is found", (text) => expect(faults(text)).toEqual([]));

  it.each([
    "// Off (security: Pages).",
    "// (security: Rules, CSRF)",
    "/** (security: Demo, 1) */",
    "// (qr: Payload)",
    "const a = 1; // Off (security: Pages).",
    "// On (security: Demo), off (security: Pages).",
    "/**\n * Off (security:\n * Pages).\n */",
    "// Off (security: Rules,\n// CSRF).",
  ])("%j leads nowhere", (text) => expect(faults(text)).toHaveLength(1));
});

describe("a file with one function and one importer", () => {
  const own = "export function a() {}\nexport type A = 1;\nexport interface B {}";
  const pathsIn = (texts: Readonly<Record<string, string>>) =>
    oneImporterFiles(Object.entries(texts).map(([path, text]) => projectFile(path, text))).map(({ file }) => file.path);

  it.each([
    own,
    "export async function* a() {}",
    "export const a = (b: string) => b;",
    "const b = 1;\nexport function a() {}",
  ])("is found: %j", (text) => {
    const importer = 'import { a } from "./a.ts";\nimport type { A } from "./a.ts";';
    expect(pathsIn({ "src/a.ts": text, "src/b.ts": importer })).toEqual(["src/a.ts"]);
  });

  it.each([
    ["exports a value", { "src/a.ts": `${own}\nexport const b = 1;`, "src/b.ts": 'import "./a.ts";' }],
    ["exports a class", { "src/a.ts": "export class A {}", "src/b.ts": 'import "./a.ts";' }],
    ["exports what a call returns", { "src/a.ts": "export const a = b(() => 1);", "src/b.ts": 'import "./a.ts";' }],
    ["exports another file", { "src/a.ts": `${own}\nexport * from "c";`, "src/b.ts": 'import "./a.ts";' }],
    ["exports types alone", { "src/a.ts": "export type A = 1;", "src/b.ts": 'import "./a.ts";' }],
    ["has 40 lines", { "src/a.ts": `${own}${"\n".repeat(37)}//`, "src/b.ts": 'import "./a.ts";' }],
    ["has a test", { "src/a.ts": own, "src/b.ts": 'import "./a.ts";', "src/a.test.ts": 'import "./a.ts";' }],
    ["handles an operation", { "src/a.ts": own, "src/b-handlers.ts": 'import "./a.ts";' }],
    ["has two importers", { "src/a.ts": own, "src/b.ts": 'import "./a.ts";', "src/c.ts": 'export * from "./a.ts";' }],
    ["has its importer elsewhere", { "src/a.ts": own, "src/b/b.ts": 'import "../a.ts";' }],
    ["has no importer but a test", { "src/a.ts": own, "src/a.test.ts": 'import "./a.ts";' }],
    ["is loaded on demand", { "src/a.ts": own, "src/b.ts": 'import type { A } from "./a.ts";\nimport("./a.ts");' }],
    ["is a worker", { "src/a.ts": own, "src/b.ts": 'import url from "./a.ts?worker&url";' }],
    ["lies in the storage", { "server/ledger/storage/a.ts": own, "server/ledger/storage/b.ts": 'import "./a.ts";' }],
  ])("is not one that %s", (_, texts) => expect(pathsIn(texts)).toEqual([]));
});
