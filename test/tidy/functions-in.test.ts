import { describe, expect, it } from "vitest";
import { type FunctionBody, functionsIn } from "./functions-in.ts";
import { projectFile } from "./project-files.ts";

/** A body of three lines, so that a function that was seen has exactly that length. */
const BODY = "{\n  work();\n}";

function bodiesIn(source: string): readonly FunctionBody[] {
  return functionsIn(projectFile("src/x.ts", source));
}

function lengthsIn(source: string): number[] {
  return bodiesIn(source).map(({ lines }) => lines);
}

describe("the length of a function", () => {
  it.each([
    `function plain() ${BODY}`,
    `export async function* typed<T extends object>(a: T, b = f(1)): AsyncGenerator<Map<string, T[]>> ${BODY}`,
    `function told(a: unknown): a is { id: string } ${BODY}`,
    `function shaped(): { id: string; of(): void } ${BODY}`,
    `function united(): readonly string[] | { a: 1 } | "x" | undefined ${BODY}`,
    `function promised(): Promise<{ a: () => void; b: string }> ${BODY}`,
    `function conditional(): T extends string ? A : B ${BODY}`,
    `function predicate(): (a: string) => boolean ${BODY}`,
    `function predicate(): (a: string) => Promise<{ a: string }[]> ${BODY}`,
    `class A extends Mixin(Base) { static override of(): this ${BODY} }`,
    `class A { get value(): string ${BODY} }`,
    `class A { constructor() ${BODY} }`,
    `const made = (a: string) => ${BODY};`,
    `const made = <T extends (a: B) => unknown>(a: T): T => ${BODY};`,
    "const page = () => a ?? b?.c\n  ? d\n  : e;",
    `const made = async <T>(a: T): Promise<T> => ${BODY};`,
    `run(function named() ${BODY});`,
    `const table = { "a-b"() ${BODY} };`,
    "const page = () => html`\n  ${a}\n`;",
    `it("law", () => ${BODY});`,
    "const list = (a: string) => [\n  a,\n];",
    "const shape = () => a as {\n  b: 1;\n};",
    `class A { set value(a: string) ${BODY} }`,
    `class A { if(a: string) ${BODY} }`,
    `class A { #made = () => ${BODY}; }`,
    `class A { static accessor made = () => ${BODY}; }`,
    `class A { static ${BODY} }`,
    `const table = { async while() ${BODY} };`,
    `const page = html\`<p>\${() => ${BODY}}</p>\`;`,
    `if (a) /[{]/.test(b); const made = () => ${BODY};`,
    `const made = (a = /[)'{]/) => ${BODY};`,
    `function shaped(): \`a\${string}\` ${BODY}`,
    `function shaped(): -1 | 1n ${BODY}`,
  ])("is seen in %j", (source) => {
    expect(lengthsIn(source)).toContain(3);
    expect(bodiesIn(source).filter(({ lines }) => lines > 1)).toHaveLength(1);
  });

  it.each([
    `if (a) ${BODY}`,
    `if (a) {} else if (f(a)) ${BODY}`,
    `for await (const a of f(b)) ${BODY}`,
    `while (f()) ${BODY}`,
    "switch (f(a)) {\n  default:\n}",
    `try ${BODY} catch (error) ${BODY} finally ${BODY}`,
    `switch (a) { case f(b): ${BODY} }`,
    `class A extends Mixin(Base) ${BODY}`,
    `class A extends Mixin(Base)<T> ${BODY}`,
    "const a = b ? f(c) : {\n  d,\n};",
    "const a = b ? f(c) : d ? {} : {\n  e,\n};",
    `interface A { of(a: string): ${BODY}; }`,
    `describe("group", () => ${BODY});`,
    `describe.each([1, 2])("group %s", () => ${BODY});`,
    `describe.each(of(a))("group %s", () => ${BODY});`,
    "type A = () => {\n  a: 1;\n};",
    "declare function of(): {\n  a: 1;\n};",
    `// function commented() ${BODY.replaceAll("\n", "\n// ")}`,
    `const text = \`function quoted() ${BODY}\`;`,
  ])("is not taken for that of something else in %j", (source) => {
    expect(bodiesIn(source).filter(({ lines }) => lines > 1)).toEqual([]);
  });

  it("counts from the opening brace's line", () => {
    expect(bodiesIn(`\n\nfunction late() ${BODY}`)).toEqual([{ line: 3, lines: 3 }]);
  });

  it("includes the functions inside", () => {
    expect(lengthsIn(`const made = (a: string) => (b: string) => ${BODY};`)).toEqual([3, 3]);
    expect(lengthsIn(`const made = () => class extends Mixin(Base) { of() ${BODY} };`)).toEqual([3, 3]);
    expect(lengthsIn(`function outer() {\n  const inner = () => ${BODY};\n}`).sort()).toEqual([3, 5]);
    expect(lengthsIn(`describe("group", () => { it("law", () => ${BODY}); });`)).toEqual([3]);
  });
});
