import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Where the answers are kept that the service gave to the examples: one file per operation, written by the test. */
const ANSWER_EXAMPLES_FOLDER = join(import.meta.dirname, "examples");

/** The file of an operation's answer. */
export function answerExampleFile(name: string): string {
  return join(ANSWER_EXAMPLES_FOLDER, `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.json`);
}

/** The answers by operation, read once for the OpenAPI document. */
export function readAnswerExamples(): Readonly<Record<string, unknown>> {
  const files = readdirSync(ANSWER_EXAMPLES_FOLDER).filter((file) => file.endsWith(".json"));
  return Object.fromEntries(
    files.map((file) => {
      const name = basename(file, ".json").replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return [name, JSON.parse(readFileSync(join(ANSWER_EXAMPLES_FOLDER, file), "utf8"))];
    }),
  );
}
