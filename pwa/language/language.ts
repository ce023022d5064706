import type { Language } from "../../src/language/languages.ts";
import {
  accountWords,
  approvalWords,
  receiptsWords,
  scanWords,
  shopWords,
  startWords,
  welcomeWords,
} from "../../src/language/tables/app.ts";

const loaders = {
  start: startWords,
  account: accountWords,
  approval: approvalWords,
  receipts: receiptsWords,
  scan: scanWords,
  shop: shopWords,
  welcome: welcomeWords,
};

/** Name of a part of the app's words that is loaded separately. */
export type Part = keyof typeof loaders;
type WordsOf<P extends Part> = Awaited<ReturnType<(typeof loaders)[P][Language]>>["words"];

const loaded = new Map<Part, unknown>();

/** Loads one part of the words in one language, so that nobody downloads what no page shows. */
export async function loadWords(part: Part, language: Language): Promise<void> {
  loaded.set(part, (await loaders[part][language]()).words);
}

/** Returns a part of the words that {@link loadWords} has loaded, as the page's route does; throws if it has not. */
export function wordsOf<P extends Part>(part: P): WordsOf<P> {
  const words = loaded.get(part);
  if (words === undefined) throw new Error(`The route of this page loads the words "${part}" with it.`);
  return words as WordsOf<P>;
}
