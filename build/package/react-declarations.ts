import type { DescribedElement, DescribedMember } from "./describe-elements.ts";

/** An element, and the module that declares its class, as a path from the React declarations. */
export interface DeclaredElement {
  readonly element: DescribedElement;
  readonly module: string;
}

function sentence(description = ""): string {
  return `  /** ${description.replaceAll("*/", "*\\/")} */`;
}

function isSettable(member: DescribedMember): boolean {
  return member.kind === "field" && member.readonly !== true;
}

function propsOf({ element }: DeclaredElement): string {
  const { name, members, attributes, events } = element;
  const fields = members.filter(isSettable);
  const hyphened = attributes.filter((attribute) => attribute.name !== attribute.fieldName);
  return [
    `/** What \`<${element.tagName}>\` takes in JSX. */`,
    `export interface ${name}Props extends ClassAttributes<${name}>, HTMLAttributes<${name}> {`,
    ...fields.flatMap((field) => [
      sentence(field.description),
      `  ${field.name}?: ${name}["${field.name}"] | undefined;`,
    ]),
    ...hyphened.flatMap((each) => [
      sentence(each.description),
      `  "${each.name}"?: ${name}["${each.fieldName}"] | undefined;`,
    ]),
    ...events.flatMap((event) => [
      sentence(event.description),
      `  "on${event.name}"?: ((event: HTMLElementEventMap["${event.name}"]) => void) | undefined;`,
    ]),
    "}",
  ].join("\n");
}

/**
 * The JSX types of the elements for React 19, which sets properties of custom elements and listens to `onEVENT`. Each
 * takes what every HTML element takes, refs included, and its own properties, attributes and events.
 */
export function reactDeclarations(elements: readonly DeclaredElement[]): string {
  const tags = elements.map(({ element }) => `      "${element.tagName}": ${element.name}Props;`);
  return [
    'import type { ClassAttributes, HTMLAttributes } from "react";',
    ...elements.map(({ element, module }) => `import type { ${element.name} } from "${module}";`),
    "",
    ...elements.map(propsOf),
    "",
    'declare module "react" {',
    "  namespace JSX {",
    "    interface IntrinsicElements {",
    ...tags,
    "    }",
    "  }",
    "}",
    "",
  ].join("\n");
}
