import { expect, test } from "vitest";
import { languages } from "./languages.ts";

/** The end of a time in Colombia has a full stop of its own: `6:12 a. m.`. */
const TIMES = { es: "6:12\u00a0a.\u00a0m.", en: "6:12\u00a0AM", pt: "06:12" } as const;

/** Every text of a tree of words that takes a moment (`when`), with a time in its place. */
function textsWith(time: string, words: unknown): readonly string[] {
  if (typeof words === "function") {
    if (!/\bwhen\b/.test(words.toString())) return [];
    return [String(words(...Array.from({ length: words.length }, () => time)))];
  }
  if (typeof words !== "object" || words === null) return [];
  return Object.values(words).flatMap((part) => textsWith(time, part));
}

test.each(Object.keys(languages))("no sentence of %s ends a time with two full stops", async (language) => {
  const { [language]: time = TIMES.en }: Readonly<Record<string, string>> = TIMES;
  const files = import.meta.glob("./*/app/**/*.ts", { eager: true, import: "words" });
  const own = Object.entries(files).filter(([path]) => path.startsWith(`./${language}/`));
  const texts = own.flatMap(([, words]) => textsWith(time, words));
  expect(texts.length).toBeGreaterThan(8);
  expect(texts.filter((text) => text.includes(".."))).toEqual([]);
});
