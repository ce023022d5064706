import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type RolldownPlugin, rolldown } from "rolldown";
import { afterAll, beforeAll, expect, it } from "vitest";
import { leanLit } from "./lean-lit.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cupo-lean-lit-"));
  mkdirSync(join(folder, "widgets"));
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function bundle(source: string, conditionNames = ["browser", "import"]): Promise<string> {
  const input = join(folder, "widgets", "element.ts");
  writeFileSync(input, source);
  const build = await rolldown({
    input,
    platform: "browser",
    resolve: { conditionNames },
    plugins: [leanLit(() => true) as unknown as RolldownPlugin],
  });
  const { output } = await build.generate({ format: "es", codeSplitting: false });
  await build.close();
  return output[0].code;
}

const ELEMENT =
  'import { html, render } from "lit-html"; export const draw = () => render(html`<p></p>`, document.body);';

it("lit-html is bundled without what no element uses", async () => {
  const code = await bundle(ELEMENT);
  expect(code).toContain("createTreeWalker");
  expect(code).not.toMatch(/litHtmlPolyfillSupport|litHtmlVersions|setConnected|creationScope|_\$AM|noChange|options/);
});

it.each([
  ["a directive", `${ELEMENT} export { repeat } from "lit-html/directives/repeat.js";`],
  ["Lit's own base class", `${ELEMENT} export { LitElement } from "lit";`],
  ["a value that stays as it was", `${ELEMENT} export { noChange } from "lit-html";`],
  ["a decorator", `${ELEMENT} export { property } from "lit/decorators.js";`],
])("a script with %s fails the build, and its author is told where it was cut out", async (_what, source) => {
  await expect(bundle(source)).rejects.toThrow("build/lean-lit.ts");
});

it("graphics as a template of their own fail the build", async () => {
  await expect(bundle(`${ELEMENT} export { svg } from "lit-html";`)).rejects.toThrow('"svg" is not exported');
});

it("a lit-html in another form fails the build, because the cuts would miss it", async () => {
  await expect(bundle(ELEMENT, ["browser", "development", "import"])).rejects.toThrow("in the form known here");
});
