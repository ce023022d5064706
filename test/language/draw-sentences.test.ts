import { describe, expect, it } from "vitest";
import { type Language, languages } from "../../src/language/languages.ts";
import { sentencesIn } from "../support/sentences.ts";
import { drawSentences } from "./draw-sentences.ts";

describe.each(Object.keys(languages) as Language[])("the sample of sentences in %s", (language) => {
  it("is the same each time, and has 60 sentences with values", async () => {
    const drawn = await drawSentences(language);
    expect(await drawSentences(language)).toEqual(drawn);
    expect(new Set(drawn.map(({ key }) => key)).size).toBe(60);
    const all = await sentencesIn(language);
    expect(drawn.filter(({ key }) => !all.some((sentence) => sentence.key === key))).toEqual([]);
    expect(all.filter(({ text }) => /undefined|%|NaN|\[object/.test(text))).toEqual([]);
  });
});
