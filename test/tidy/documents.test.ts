import { describe, expect, it } from "vitest";
import { glossaryFaults, linkFaults, placesOf } from "./documents.ts";
import { folderFaults, folderTables } from "./folders.ts";
import { projectFile } from "./project-files.ts";

describe("a table of folders", () => {
  const heading = ["| `src/a` | Content | Imports besides `base` |", "|---|---|---|"];
  const [high, low, base] = ["| `high` | all | `low` |", "| `low` | some | – |", "| `base` | the rest | – |"] as const;
  const files = [
    projectFile("src/a/all.ts", 'import "./high/x.ts";'),
    projectFile("src/a/high/x.ts", 'import "../low/x.ts"; import "../base/x.ts"; import "../../b.ts";'),
    projectFile("src/a/low/x.ts", 'import "./y.ts";'),
    projectFile("src/a/base/x.ts", ""),
  ];
  const faults = (rows: readonly string[]) =>
    folderTables([...heading, ...rows, ""].join("\n")).flatMap((table) => folderFaults(table, files));

  it("allows what it lists", () => {
    expect(faults([high, low, base])).toEqual([]);
  });

  it.each([
    ["an import of a folder above", [base, high, low]],
    ["an import that it does not list", ["| `high` | all | – |", low, base]],
    ["an import that nobody needs", [high, "| `low` | some | `base` |", base]],
    ["a folder without code", [high, low, base, "| `gone` | none | – |"]],
    ["a folder that it lacks", [high, low]],
  ])("finds %s", (_, rows) => {
    expect(faults(rows)).toHaveLength(1);
  });
});

describe("a document", () => {
  const places = placesOf([
    projectFile("src/a.ts", 'export interface Hold { readonly held: "user_quota" }\n// Gone'),
    projectFile("server/b.sql", "create table broker.people (id uuid);"),
  ]);

  it.each([
    ["[a.ts](../src/a.ts), [its folder](../src), [there](https://example.com)", 0],
    ["[`Hold`](../src/a.ts)", 0],
    ["[`Gone`](../src/a.ts)", 1],
    ["[b.ts](../src/a.ts)", 1],
    ["[a.ts](a.ts)", 1],
  ])("with %s has so many wrong links", (text, count) => {
    expect(linkFaults(projectFile("docs/x.md", text), places)).toHaveLength(count);
  });

  it.each([
    ["`Hold` in [a.ts](../src/a.ts), `Hold.held`, `user_quota`, `a.ts`, table `broker.people`", 0],
    ["`Gone`", 1],
    ["`Hold.gone`", 1],
    ["`Hold` in [b.sql](../server/b.sql)", 1],
  ])("that names %s as code has so many names too many", (cell, count) => {
    const glossary = projectFile("docs/glossary.md", `| **Hold**: money. | \`gone\` | ${cell} | – |`);
    expect(glossaryFaults(glossary, places)).toHaveLength(count);
  });
});
