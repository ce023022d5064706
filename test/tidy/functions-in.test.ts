import { describe, expect, it } from "vitest";
import { functionsIn } from "./functions-in.ts";
import { maskSource } from "./mask-source.ts";

/** A body of three lines, so that a function that was seen has exactly that length. */
const BODY = "{\n  work();\n}";

function lengthsIn(source: string): number[] {
  return functionsIn(source).map(({ lines }) => lines);
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
  ])("is seen in %j", (source) => {
    expect(lengthsIn(source)).toContain(3);
    expect(functionsIn(source).filter(({ lines }) => lines > 1)).toHaveLength(1);
  });

  it.each([
    `if (a) ${BODY}`,
    `else if (f(a)) ${BODY}`,
    `for await (const a of f(b)) ${BODY}`,
    `while (f()) ${BODY}`,
    `switch (f(a)) ${BODY}`,
    `try ${BODY} catch (error) ${BODY} finally ${BODY}`,
    `switch (a) { case f(b): ${BODY} }`,
    `class A extends Mixin(Base) ${BODY}`,
    `class A extends Mixin(Base)<T> ${BODY}`,
    `const a = b ? f(c) : ${BODY};`,
    `const a = b ? f(c) : d ? {} : ${BODY};`,
    `interface A { of(a: string): ${BODY}; }`,
    `describe("group", () => ${BODY});`,
    `describe.each([1, 2])("group %s", () => ${BODY});`,
    `// function commented() ${BODY.replaceAll("\n", "\n// ")}`,
    `const text = \`function quoted() ${BODY}\`;`,
  ])("is not taken for that of something else in %j", (source) => {
    expect(functionsIn(source).filter(({ lines }) => lines > 1)).toEqual([]);
  });

  it("counts from the opening brace's line", () => {
    expect(functionsIn(`\n\nfunction late() ${BODY}`)).toEqual([{ line: 3, lines: 3 }]);
  });

  it("includes the functions inside", () => {
    expect(lengthsIn(`const made = (a: string) => (b: string) => ${BODY};`)).toEqual([3, 3]);
    expect(lengthsIn(`const made = () => class extends Mixin(Base) { of() ${BODY} };`)).toEqual([3, 3]);
    expect(lengthsIn(`function outer() {\n  const inner = () => ${BODY};\n}`).sort()).toEqual([3, 5]);
  });
});

describe("the masked source", () => {
  it.each([
    ['a("x // {"); b', 'a("      "); b'],
    ["a /* { */ b", "a         b"],
    ["`{ ${a({ b })} {`", "`  ${a({ b })}  `"],
    ["`${`}${b}`}` + c", "`${` ${b}`}` + c"],
    ['x = /[/"{]/g; y', "x =         ; y"],
    ["x = a / b / c", "x = a / b / c"],
    ['x = "\\"{"; y', 'x = "   "; y'],
    ["return /'/.test(a)", "return    .test(a)"],
  ])("of %j blanks all that is not code", (source, masked) => {
    expect(maskSource(source)).toBe(masked);
  });

  it("keeps every place and line", () => {
    const source = "/* a\nb */ `c\n${d}\ne` // f\n'g'";
    expect(maskSource(source)).toHaveLength(source.length);
    expect(maskSource(source).split("\n")).toHaveLength(source.split("\n").length);
  });
});
