import type { DescribedElement } from "./package/describe-elements.ts";

/** An interface of an element's event details: its fields, and the interface whose fields it has too. */
interface Detail {
  readonly base: string | undefined;
  readonly fields: readonly string[];
}

const INTERFACE = /^export interface (\w+Detail)(?: extends (\w+))? \{\n([\s\S]*?)\n\}/gm;
const FIELD = /^ {2}readonly (\w+):/gm;

function detailsIn(eventSource: string): ReadonlyMap<string, Detail> {
  const found = [...eventSource.matchAll(INTERFACE)].map(([, name = "", base, body = ""]): [string, Detail] => [
    name,
    { base, fields: [...body.matchAll(FIELD)].map(([, field = ""]) => field) },
  ]);
  return new Map(found);
}

function fieldsOf(name: string, details: ReadonlyMap<string, Detail>): readonly string[] {
  const detail = details.get(name);
  if (detail === undefined) throw new Error(`there is no interface ${name} among the events' details`);
  return [...(detail.base === undefined ? [] : fieldsOf(detail.base, details)), ...detail.fields];
}

function cell(text = ""): string {
  return text.replaceAll("\n", " ").replaceAll("|", "\\|");
}

function code(text: string): string {
  return text === "" ? "" : `\`${cell(text)}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |");
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}

function propertyTable({ members }: DescribedElement): string {
  const rows = members
    .filter(({ kind }) => kind === "field")
    .map(({ name, attribute = "", readonly = false, description }) => {
      return [code(attribute), code(name), `${cell(description)}${readonly ? " Read only." : ""}`];
    });
  return table(["Attribute", "Property", ""], rows);
}

function methodTable({ members }: DescribedElement): string {
  const methods = members.filter(({ kind }) => kind === "method");
  return table(
    ["Method", ""],
    methods.map(({ name, description }) => [code(`${name}()`), cell(description)]),
  );
}

function eventTable({ events }: DescribedElement, eventSource: string): string {
  const details = detailsIn(eventSource);
  const rows = events.map(({ name, type, description }) => {
    const [, detail = ""] = /^CustomEvent<(\w+)>$/.exec(type.text) ?? [];
    return [code(name), fieldsOf(detail, details).map(code).join(" "), cell(description)];
  });
  return table(["Event", "`detail`", ""], rows);
}

function described(kind: string, items: DescribedElement["cssParts"]): string {
  return table(
    [kind, ""],
    items.map(({ name, description }) => [code(name), cell(description)]),
  );
}

/**
 * Returns an element's properties, methods, events, states and parts as tables in Markdown; its custom properties are
 * left to {@link lookTable}. `eventSource` is the source text that declares the details of its events.
 */
export function elementTables(element: DescribedElement, eventSource: string): string {
  return [
    propertyTable(element),
    methodTable(element),
    eventTable(element, eventSource),
    described("`:state()`", element.cssStates),
    described("`::part()`", element.cssParts),
  ].join("\n\n");
}

/** The custom properties of an element as a table in Markdown. */
export function lookTable({ cssProperties = [] }: DescribedElement): string {
  const rows = cssProperties.map(({ name, description, default: value = "" }) => {
    return [code(name), cell(description), code(value)];
  });
  return table(["Property", "", "Without it"], rows);
}

/** The text with a table between the two markers of that name; throws where they are missing. */
export function withTable(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`There is no place for the tables: ${start} and ${end}.`);
  return `${text.slice(0, from)}${start}\n${content}\n${text.slice(to)}`;
}
