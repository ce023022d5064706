import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { EVENT_TYPES, type EventType } from "../../../src/contract/service/webhooks.ts";

/** The folder of the answers that the service gave to the examples: one file per operation, written by the test. */
const ANSWER_EXAMPLES_FOLDER = join(import.meta.dirname, "../examples");

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

/** The file of the message that a receiver was sent when an event of that type happened. */
export function eventExampleFile(type: EventType): string {
  return join(ANSWER_EXAMPLES_FOLDER, "events", `${type.replace(/[._]/g, "-")}.json`);
}

/** The messages by type of event; a new type has none until its test was run. */
export function readEventExamples(): Readonly<Partial<Record<EventType, unknown>>> {
  const types = EVENT_TYPES.filter((type) => existsSync(eventExampleFile(type)));
  return Object.fromEntries(types.map((type) => [type, JSON.parse(readFileSync(eventExampleFile(type), "utf8"))]));
}
