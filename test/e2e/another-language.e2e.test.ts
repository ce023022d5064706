import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { firstPageSize } from "../../build/first-page.ts";
import type { ScriptSize } from "../../build/size-table.ts";
import { pseudoSource } from "../support/pseudo-language.ts";
import { readPdfText } from "../support/read-pdf-text.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { aCheckout, runIn } from "./support/checkout.ts";
import { openBrowser } from "./support/open-browser.ts";
import type { Phone } from "./support/phone.ts";
import { shownTexts, untranslated } from "./support/shown-texts.ts";
import { isSettled } from "./support/visual/in-page.ts";
import { beginnings, enrolments, strangers } from "./support/visual/states-begin.ts";
import { endings } from "./support/visual/states-end.ts";
import { payments, receipts } from "./support/visual/states-pay.ts";
import { readings } from "./support/visual/states-read.ts";
import { nameOf, type PageState, VisualRun } from "./support/visual/visual-run.ts";

/*
 * Adds a language to a copy of this checkout, by one folder and one line: a pseudo-language, whose texts are made from
 * the English ones, accented, longer and in brackets. In the built product a text without brackets is not translated.
 */

/** A code of the range for private use (ISO 639-2). */
const CODE = "qps";
/** Korean amounts have their currency first, as the app writes it, and Greek dates no Latin letters. */
const [NUMBERS, DATES] = ["ko", "el"];
const FOLDER = `src/language/${CODE}`;
const LIST = "src/language/languages.ts";
const BUILD_MS = 240_000;

/** The unit tests that go through the list of languages. */
const OF_EVERY_LANGUAGE = [
  ...["build/language-tables.test.ts", "src/language", "pwa/format", "widgets"],
  ...["server/broker/people/notifications/push.test.ts", "server/broker/people/statements"],
];

/** Names and other data of the demo, of the visual run and of the showcase, which are the same in every language. */
const DATA = new RegExp(
  [
    // Masked names.
    "\\p{Lu}\\p{Ll}+(?: \\p{Lu}\\.)+",
    ...["Ana María Rojas", "Ana Torres", "Ana", "Luis Rojas", "Luz Marina Peña", "Caf[eé] La Candelaria", "Caja Norte"],
    ...["Asociación de Productores de Café Orgánico de la Sierra Nevada", "Caja 1", "Droguería Sol", "Recargas Lucía"],
    ...["María del Socorro Villavicencio Hernández de Santacruz", "Ferretería El Tornillo", "Panadería Trigo"],
    ...[
      "El café de la esquina",
      "Almuerzo",
      "Propina del viernes",
      "Chrom(?:e|ium), Linux",
      "Cupo",
      "COP",
      "Qps",
      "https?://\\S+",
    ],
    // Initials, codes, references, and the id of a server key.
    ...["^\\p{Lu}$", "\\b(?:[0-9A-Z]{4}[- ]?)+[0-9A-Z]?\\b", "[0-9a-f]{8} "],
  ].join("|"),
  "gu",
);

let root: string;
let sizes: readonly ScriptSize[];

const read = (path: string): string => readFileSync(join(root, path), "utf8");

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** The files of words of a language, by their paths below its folder. */
function filesOf(code: string): readonly string[] {
  const folder = join(root, "src/language", code);
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
}

/** Writes the folder of the pseudo-language. */
function addFolder(): void {
  for (const file of filesOf("en")) {
    const path = `src/language/en/${file}`;
    write(`${FOLDER}/${file}`, pseudoSource(path, read(path), DATES));
  }
}

/** Builds the product with a list of languages. */
async function buildWith(list: string): Promise<void> {
  write(LIST, list);
  await succeeds("node", "build/language-tables.ts");
  await succeeds("vite", "build");
}

/** Measures the scripts of the elements; size-limit ends with 1 when one is above its budget. */
async function elementSizes(): Promise<readonly ScriptSize[]> {
  return JSON.parse((await runIn(root, "node", "node_modules/size-limit/bin.js", "--json")).output) as ScriptSize[];
}

async function succeeds(command: string, ...args: readonly string[]): Promise<void> {
  const { code, output } = await runIn(root, command, ...args);
  expect(code, output).toBe(0);
}

beforeAll(async () => {
  root = aCheckout();
  addFolder();
  const list = read(LIST).replace("\n} as const;", `\n  ${CODE}: "${NUMBERS}",\n} as const;`);
  // Longer than any language: it stands for the two translations that an element's script has.
  await buildWith(list.replace(/\n {2}(?:en|pt): .*/g, ""));
  sizes = await elementSizes();
  await buildWith(list);
}, BUILD_MS);
afterAll(() => {
  if (root !== undefined) rmSync(root, { recursive: true, force: true });
});

/** Cuts the first property out of a file's words. */
function withoutOneWord(text: string): string {
  return text.replace(/(?<=^export const .*\n)(?: {2}\S.*\n)(?: {3,}.*\n| {2}[\]})].*\n)*/m, "");
}

describe("a language is one folder and one line", () => {
  it("with which everything compiles", () => succeeds("tsc", "-b"));

  it("and the compiler names each file in which a word is missing, and each that is missing itself", async () => {
    const files = filesOf(CODE);
    const texts = new Map(files.map((file) => [`${FOLDER}/${file}`, read(`${FOLDER}/${file}`)]));
    for (const [path, text] of texts) write(path, withoutOneWord(text));
    const lacking = (await runIn(root, "tsc", "-b", "src")).output;
    for (const path of texts.keys()) rmSync(join(root, path));
    const missing = (await runIn(root, "tsc", "-b", "src")).output;
    for (const [path, text] of texts) write(path, text);
    expect(files.length).toBeGreaterThan(9);
    expect([...texts.keys()].filter((path) => !lacking.includes(`${path}(`))).toEqual([]);
    const parts = files.filter((file) => !file.startsWith("app/start/"));
    expect(parts.filter((part) => !missing.includes(`Cannot find module '../${CODE}/${part}'`))).toEqual([]);
  });

  it("which the tests of every language take as it is", () =>
    succeeds("vitest", "run", "--project", "node", ...OF_EVERY_LANGUAGE));

  it("and each script is within its budget", () => {
    const measured = [...sizes, firstPageSize(join(root, "dist/app"))];
    expect(measured.length).toBe(5);
    expect(measured.filter(({ passed }) => !passed)).toEqual([]);
  });
});

describe("in the pseudo-language", () => {
  const fixture = aBrowserFixture(openBrowser, () => ({ root, language: CODE }));
  const states = [...strangers, ...enrolments, ...beginnings, ...readings, ...payments, ...receipts, ...endings];
  let run: VisualRun;

  beforeAll(async () => {
    run = await VisualRun.begin(fixture);
  });

  describe("the app shows no other text", () => {
    it.each(states.map((state): [string, PageState] => [nameOf(state), state]))("%s", async (_, state) => {
      await state.reach(run);
      const { page } = run[state.on];
      await page.waitForFunction(isSettled);
      expect(await page.locator("html").getAttribute("lang")).toBe(CODE);
      const texts = await page.evaluate(shownTexts);
      expect(texts.length).toBeGreaterThan(2);
      expect(untranslated(texts, DATA)).toEqual([]);
    });
  });

  it("the elements in every state, and the page that shows them", async () => {
    const showcase = await fixture.gallery();
    await showcase.show({ lang: CODE });
    const texts = await showcase.page.evaluate(shownTexts);
    expect(texts.length).toBeGreaterThan(500);
    expect(untranslated(texts, DATA)).toEqual([]);
  });

  it("a statement, as a paper and for spreadsheets", async () => {
    const phone = await fixture.phoneOf("payer");
    const [pdf, csv] = [await statementOf(phone, "application/pdf"), await statementOf(phone, "text/csv")];
    const [head = "", ...lines] = csv.toString().trimEnd().split("\r\n");
    const kinds = lines.map((line) => line.split(",")[3] ?? "");
    expect(lines.length).toBeGreaterThan(3);
    expect(untranslated([...head.slice(1).split(","), ...kinds], DATA)).toEqual([]);
    expect(untranslated(readPdfText(pdf).flat(), DATA)).toEqual([]);
  });
});

/** Fetches this month's statement of the person who is signed in on a phone. */
async function statementOf({ page }: Phone, type: string): Promise<Buffer> {
  const path = `/v1/me/statement?month=${new Date().toISOString().slice(0, 7)}&language=${CODE}`;
  const bytes = await page.evaluate(
    async ({ path, type }) => {
      const answer = await fetch(path, { headers: { "X-Cupo-Request": "1", Accept: type } });
      return [...new Uint8Array(await answer.arrayBuffer())];
    },
    { path, type },
  );
  return Buffer.from(bytes);
}
