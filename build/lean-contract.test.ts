import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type RolldownPlugin, rolldown } from "rolldown";
import { afterAll, beforeAll, expect, it } from "vitest";
import { leanContract } from "./lean-contract.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cupo-lean-contract-"));
  mkdirSync(join(folder, "src/contract"), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const CONTRACT = `
  import * as v from "valibot";
  export function operation(row) { return Object.freeze(row); }
  const Sum = v.pipe(v.string(), v.regex(/^sum$/, "must be a sum"));
  const person = { tag: "People", access: "person" };
  export const me = operation({ ...person, name: "me", path: "/me", summary: "Who", query: v.strictObject({ sum: Sum }),
    answer: v.object({ name: v.string() }), errors: [...["never"]] });
  export const other = operation({ ...person, name: "other", answer: v.object({ held: v.number() }) });
  export const rows = Object.freeze({ me, other });`;

it("a script gets the rows that it uses, with what a caller needs of them, and none of the others", async () => {
  writeFileSync(join(folder, "src/contract/rows.ts"), CONTRACT);
  writeFileSync(join(folder, "page.ts"), 'import { me } from "./src/contract/rows.ts"; globalThis.me = me;');
  const build = await rolldown({
    input: join(folder, "page.ts"),
    plugins: [leanContract(() => true) as unknown as RolldownPlugin],
  });
  const { output } = await build.generate({ format: "es", minify: true, file: join(folder, "page.js") });
  await build.close();
  const [{ code }] = output;
  expect(code).toContain("/me");
  expect(code).not.toMatch(/Who|must be a sum|strict_object|never|other|held/);
  writeFileSync(join(folder, "page.mjs"), code);
  await import(join(folder, "page.mjs"));
  expect(Reflect.get(globalThis, "me")).toMatchObject({ name: "me", path: "/me", answer: { type: "object" } });
});
