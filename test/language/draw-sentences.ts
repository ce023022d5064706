import { type Language, languages } from "../../src/language/languages.ts";
import { seededRandom } from "../bench/scanner/random.ts";
import { type Sentence, sentencesIn } from "../support/sentences.ts";

/** Fixed before anybody read what it draws. */
const SEED = 20_261_127;

/** A sample that one reader reads at one sitting. */
const SAMPLE_SIZE = 60;

/** Draws the sentences of a language that a reader judges: the same ones for the same words. */
export async function drawSentences(language: Language): Promise<readonly Sentence[]> {
  const random = seededRandom(SEED);
  const left = [...(await sentencesIn(language))];
  return Array.from({ length: SAMPLE_SIZE }, () => left.splice(Math.floor(random() * left.length), 1)).flat();
}

if (import.meta.main) {
  for (const language of Object.keys(languages) as Language[]) {
    const lines = (await drawSentences(language)).map(({ key, text }) => `${key}: ${text}`);
    process.stdout.write(`\n${language}\n\n${lines.join("\n")}\n`);
  }
}
