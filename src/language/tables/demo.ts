// Written by `npm run languages`: do not edit.
import { words as showcaseEn } from "../en/demo/showcase.ts";
import { type Words as ShowcaseWords, words as showcaseEs } from "../es/demo/showcase.ts";
import type { ByLanguage } from "../languages.ts";
import { words as showcasePt } from "../pt/demo/showcase.ts";

export type { ShowcaseWords };

/** The words of `showcase` in each language. */
export const showcaseWords: ByLanguage<ShowcaseWords> = {
  es: showcaseEs,
  en: showcaseEn,
  pt: showcasePt,
};
