import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Returns the path of the file with the answer to the example request of an operation, in a folder of examples. */
export function exampleFile(folder: string, name: string): string {
  return join(folder, `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.json`);
}

/** Reads the example answers of a folder, for an OpenAPI document: each under the name of its operation. */
export function readExamples(folder: string): Readonly<Record<string, unknown>> {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return Object.fromEntries(
    files.map((file) => {
      const name = basename(file, ".json").replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return [name, JSON.parse(readFileSync(join(folder, file), "utf8"))];
    }),
  );
}

/** Returns the path of the file with the message that a receiver was sent when an event of a type happened. */
export function eventFile(folder: string, type: string): string {
  return join(folder, "events", `${type.replace(/[._]/g, "-")}.json`);
}

/** Reads the example messages of a folder by type of event; a new type has none until its test was run. */
export function readEvents<T extends string>(
  folder: string,
  types: readonly T[],
): Readonly<Partial<Record<T, unknown>>> {
  const written = types.filter((type) => existsSync(eventFile(folder, type)));
  const entries = written.map((type) => [type, JSON.parse(readFileSync(eventFile(folder, type), "utf8"))]);
  return Object.fromEntries(entries) as Partial<Record<T, unknown>>;
}
