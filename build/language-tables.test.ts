import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { languages } from "../src/language/languages.ts";
import { languageTables } from "./language-tables.ts";

function filesOf(language: string): readonly string[] {
  return readdirSync(`src/language/${language}`, { recursive: true, encoding: "utf8" }).sort();
}

it.each([...languageTables(".")])("%s is up to date; else `npm run languages` writes it", (path, text) => {
  expect(readFileSync(path, "utf8")).toBe(text);
});

it.each(Object.keys(languages))("the folder of %s has the files of every language", (language) => {
  expect(filesOf(language)).toEqual(filesOf("es"));
});
