import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CITED, citationFaults } from "./tidy/citations.ts";
import { openingFaults } from "./tidy/comments.ts";
import { glossaryFaults, linkFaults, placesOf } from "./tidy/documents.ts";
import { undocumentedExports } from "./tidy/exports.ts";
import { folderFaults, folderTables } from "./tidy/folders.ts";
import { functionsIn } from "./tidy/functions-in.ts";
import { importFaults } from "./tidy/imports.ts";
import { oneImporterFiles } from "./tidy/one-importer.ts";
import { isTestCode, linesOf, type ProjectFile, projectFiles, topLevelNames } from "./tidy/project-files.ts";
import { textFaults } from "./tidy/texts.ts";
import { nameFaults, wordFaults } from "./tidy/words.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FILES = projectFiles(ROOT);

const FILE_LINES = 300;
const FUNCTION_LINES = 50;
const LINE_LENGTH = 120;
const SQL_LINE_LENGTH = 140;

/** Files that a tool writes, or whose lines are not ours to wrap. */
const FOREIGN = /^(?:package-lock\.json|LICENSE)$|\.(?:svg)$/;

const TOP_LEVEL = [
  ..."CHANGELOG.md CONTRIBUTING.md LICENSE README.md SECURITY.md".split(" "),
  ..."biome.json index.html knip.json package-lock.json package.json".split(" "),
  ..."tsconfig.base.json tsconfig.json vite.config.ts vitest.config.ts web-test-runner.config.ts".split(" "),
  ..."build docs pwa server src test widgets".split(" "),
];

function written(pattern: RegExp): readonly ProjectFile[] {
  return FILES.filter(({ path }) => pattern.test(path) && !FOREIGN.test(path));
}

function lineLimit(path: string): number {
  return path.endsWith(".sql") ? SQL_LINE_LENGTH : LINE_LENGTH;
}

describe("the repository", () => {
  it("is seen at all: these rules read its files", () => {
    const paths = FILES.map(({ path }) => path);
    expect(paths).toContain("package.json");
    expect(paths).toContain("test/tidy.test.ts");
  });

  it(`has no code file above ${FILE_LINES} lines`, () => {
    const long = written(/\.(?:ts|js|css|html|sql)$/).filter((file) => linesOf(file).length > FILE_LINES);
    expect(long.map((file) => `${file.path} has ${linesOf(file).length} lines: give a concern its own file`)).toEqual(
      [],
    );
  });

  it(`has no function above ${FUNCTION_LINES} lines`, () => {
    const faults = FILES.flatMap((file) =>
      functionsIn(file)
        .filter(({ lines }) => lines > FUNCTION_LINES)
        .map(({ line, lines }) => `${file.path}:${line} has a function of ${lines} lines: move a step into its own`),
    );
    expect(faults).toEqual([]);
  });

  it("has no small file of one function for one other file of its folder", () => {
    const faults = oneImporterFiles(FILES).map(({ file, importer }) => `${file.path} can join ${importer.path}`);
    expect(faults).toEqual([]);
  });

  it(`has no line above ${LINE_LENGTH} characters (${SQL_LINE_LENGTH} in SQL)`, () => {
    const faults = written(/\.(?:ts|js|css|html|sql)$/).flatMap((file) =>
      linesOf(file).flatMap((line, index) =>
        [...line].length > lineLimit(file.path) ? [`${file.path}:${index + 1} has ${line.length} characters`] : [],
      ),
    );
    expect(faults).toEqual([]);
  });

  it("imports along the edges of the house, and each package in its own room", () => {
    expect(FILES.flatMap(importFaults)).toEqual([]);
  });

  it("imports between the folders of a part as docs/architecture.md lists them", () => {
    const document = FILES.find(({ path }) => path === "docs/architecture.md")?.text ?? "";
    const tables = folderTables(document);
    expect(tables.map(({ base }) => base)).toContain("server/broker");
    expect(tables.flatMap((table) => folderFaults(table, FILES))).toEqual([]);
  });

  it("says none of the words that have a better replacement", () => {
    expect(FILES.flatMap(wordFaults)).toEqual([]);
  });

  it("takes what people read from the words of their language", () => {
    expect(FILES.flatMap(textFaults)).toEqual([]);
  });

  it("opens its comments with their subject or verb", () => {
    expect(FILES.flatMap(openingFaults)).toEqual([]);
  });

  it("cites sections that its documents have", () => {
    const documents = new Map(
      CITED.map((name) => [name, FILES.find(({ path }) => path === `docs/${name}.md`)?.text ?? ""]),
    );
    expect(FILES.flatMap((file) => citationFaults(file, documents))).toEqual([]);
  });

  it("links its documents to what is there, and its glossary to names of the sources", () => {
    const places = placesOf(FILES);
    const documents = FILES.filter(({ path }) => path.endsWith(".md"));
    const glossary = documents.filter(({ path }) => path === "docs/glossary.md");
    expect(glossary).toHaveLength(1);
    expect(documents.flatMap((document) => linkFaults(document, places))).toEqual([]);
    expect(glossary.flatMap((document) => glossaryFaults(document, places))).toEqual([]);
  });

  it("names its files and folders after what they are about", () => {
    expect(FILES.flatMap(({ path }) => nameFaults(path))).toEqual([]);
  });

  it("has no other names at its top", () => {
    const others = topLevelNames(ROOT).filter((name) => !TOP_LEVEL.includes(name));
    expect(others.map((name) => `${name}: find its room inside one of ${TOP_LEVEL.slice(-7).join(", ")}`)).toEqual([]);
  });

  it("says of every export what it is for", () => {
    const product = written(/\.ts$/).filter(({ path }) => !isTestCode(path) && path.includes("/"));
    expect(product.filter(({ path }) => !path.endsWith(".d.ts")).flatMap(undocumentedExports)).toEqual([]);
  });
});
