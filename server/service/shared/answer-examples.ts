import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { EVENT_TYPES, type EventType } from "../../../src/contract/service/webhooks.ts";

/** The folder of the answers that the service gave to the examples: one file per operation, written by the test. */
const ANSWER_EXAMPLES_FOLDER = join(import.meta.dirname, "../examples");

/** Returns the path of the file with the service's answer to the example request of an operation. */
export function answerExampleFile(name: string): string {
  return join(ANSWER_EXAMPLES_FOLDER, `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.json`);
}

/** Reads the files of example answers, for the OpenAPI document: each answer under the name of its operation. */
export function readAnswerExamples(): Readonly<Record<string, unknown>> {
  const files = readdirSync(ANSWER_EXAMPLES_FOLDER).filter((file) => file.endsWith(".json"));
  return Object.fromEntries(
    files.map((file) => {
      const name = basename(file, ".json").replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return [name, JSON.parse(readFileSync(join(ANSWER_EXAMPLES_FOLDER, file), "utf8"))];
    }),
  );
}

/** Returns the path of the file with the message that a receiver was sent when an event of a type happened. */
export function eventExampleFile(type: EventType): string {
  return join(ANSWER_EXAMPLES_FOLDER, "events", `${type.replace(/[._]/g, "-")}.json`);
}

/** Reads the example messages by type of event; a new type has none until its test was run. */
export function readEventExamples(): Readonly<Partial<Record<EventType, unknown>>> {
  const types = EVENT_TYPES.filter((type) => existsSync(eventExampleFile(type)));
  return Object.fromEntries(types.map((type) => [type, JSON.parse(readFileSync(eventExampleFile(type), "utf8"))]));
}
