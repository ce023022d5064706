import * as v from "valibot";
import type { Fault } from "./errors.ts";
import { isJsonObject } from "./fields.ts";
import type { Operation, WireSchema } from "./operation.ts";

/** Our own sentence for a wrong type: validator messages are never sent. */
const wrongType: Readonly<Record<string, string>> = {
  string: "must be a string",
  number: "must be a JSON number with at most 15 significant digits",
  boolean: "must be true or false",
  array: "must be an array",
  strict_object: "must be an object",
  object: "must be an object",
};

/** More than anyone repairs at once: past it faults are counted, so that no answer is many times its request. */
const MOST_FAULTS = 100;

type Path = readonly (string | number)[];

function bounded(faults: readonly Fault[]): Fault[] {
  if (faults.length <= MOST_FAULTS) return [...faults];
  return [...faults.slice(0, MOST_FAULTS), { detail: `and ${faults.length - MOST_FAULTS} more faults` }];
}

function pointerOf(path: Path): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function pathOf(issue: v.BaseIssue<unknown>): (string | number)[] {
  return (issue.path ?? []).map((item) => item.key as string | number);
}

function unknownField(row: Operation | undefined, path: Path): string {
  const name = String(path.at(-1));
  const misplaced = path.length === 1 ? row?.misplaced : undefined;
  if (misplaced !== undefined && Object.hasOwn(misplaced, name)) return misplaced[name] ?? "";
  if (row?.responseOnly?.includes(name)) return "is assigned by the service: leave it out";
  return "is not known here: check the spelling or leave it out";
}

function choicesOf(issue: v.BaseIssue<unknown>): string {
  return (issue.expected ?? "").replace(/["()]/g, "").replaceAll(" | ", ", ");
}

function sentenceOf(issue: v.BaseIssue<unknown>, row: Operation | undefined): string {
  if (issue.kind === "validation") return issue.message;
  // Ours too: a choice between objects says what each has.
  if (issue.type === "custom" || issue.type === "union") return issue.message;
  if (issue.type === "strict_object" && issue.expected === "never") return unknownField(row, pathOf(issue));
  if (issue.input === undefined) return "is required";
  if (issue.type === "picklist" || issue.type === "literal") return `must be one of ${choicesOf(issue)}`;
  return wrongType[issue.type] ?? "is not valid";
}

/** The names that a strict object knows; none for any other schema. */
function entriesOf(schema: WireSchema): Readonly<Record<string, unknown>> | undefined {
  const plain = schema as WireSchema & { readonly entries?: Readonly<Record<string, unknown>> };
  return plain.type === "strict_object" ? plain.entries : undefined;
}

/**
 * Every unknown field, also of the objects in its lists: a validator stops at the first of an object, and takes
 * inherited names for known.
 */
function unknownFields(schema: WireSchema, value: unknown, at: Path = []): Path[] {
  const { item } = schema as WireSchema & { readonly item?: WireSchema };
  if (item !== undefined && Array.isArray(value)) {
    return value.flatMap((each, index) => unknownFields(item, each, [...at, index]));
  }
  const entries = entriesOf(schema);
  if (entries === undefined || !isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    Object.hasOwn(entries, key) ? unknownFields(entries[key] as WireSchema, member, [...at, key]) : [[...at, key]],
  );
}

/**
 * Returns the faults of a value against a schema, each with its JSON Pointer and a sentence that repeats nothing of the
 * input but a code point; none when the value fits. After the first hundred the rest are only counted.
 */
export function faultsOf(schema: WireSchema, value: unknown, row?: Operation): Fault[] {
  // A validator takes an array for an object whose fields are all missing.
  if (entriesOf(schema) !== undefined && !isJsonObject(value)) return [{ pointer: "", detail: "must be an object" }];
  const faults = unknownFields(schema, value).map((path) => ({
    pointer: pointerOf(path),
    detail: unknownField(row, path),
  }));
  const result = v.safeParse(schema, value);
  if (result.success) return bounded(faults);
  const unknown = new Set(faults.map(({ pointer }) => pointer));
  const found = result.issues.map((issue) => ({ pointer: pointerOf(pathOf(issue)), detail: sentenceOf(issue, row) }));
  return bounded(faults.concat(found.filter(({ pointer }) => !unknown.has(pointer))));
}

/** Returns the faults of a query as {@link faultsOf} does, with the parameter's name in place of a JSON Pointer. */
export function queryFaultsOf(schema: WireSchema, value: unknown, row?: Operation): Fault[] {
  return faultsOf(schema, value, row).map(({ pointer = "", detail }) =>
    pointer === "" ? { detail } : { parameter: pointer.slice(1), detail },
  );
}

/** True if a value fits a schema, so that its type is known. */
export function fits<S extends WireSchema>(schema: S, value: unknown): value is v.InferOutput<S> {
  return v.is(schema, value);
}
