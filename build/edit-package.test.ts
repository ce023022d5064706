import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type RolldownPlugin, rolldown } from "rolldown";
import type { Plugin } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noOtherHost } from "./no-other-host.ts";
import { sharedTrustedTypesPolicy } from "./shared-trusted-types-policy.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cupo-edit-package-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function build(plugin: Plugin, file: string, code: string): Promise<string> {
  const input = join(folder, file);
  mkdirSync(dirname(input), { recursive: true });
  writeFileSync(input, code);
  const bundle = await rolldown({ input, plugins: [plugin as unknown as RolldownPlugin] });
  const { output } = await bundle.generate({ format: "es" });
  await bundle.close();
  return output[0].code;
}

const POLICY = 'export const p = globalThis.trustedTypes.createPolicy("lit-html", { createHTML: (t) => t });';
const HOST = "export const at = () => `https://fastly.jsdelivr.net/npm/zxing-wasm/dist/reader.wasm`;";

describe.each([
  ["the shared policy", sharedTrustedTypesPolicy, "lit-html/lit-html.js", POLICY, 'createPolicy("cupo"'],
  ["no other host", noOtherHost, "zxing-wasm/dist/es/share.js", HOST, '=> ""'],
])("the edit of %s", (_name, plugin, file, code, edited) => {
  it("replaces the package's code", async () => {
    expect(await build(plugin(), file, code)).toContain(edited);
  });

  it("fails the build when the package has no such code", async () => {
    await expect(build(plugin(), file, "export const other = 1;")).rejects.toThrow(
      new RegExp(`cupo:[a-z-]+ finds nothing to edit in .*${file}`),
    );
  });

  it("fails the build when the package has the code in another file", async () => {
    await expect(build(plugin(), "elsewhere.js", code)).rejects.toThrow("elsewhere.js has /");
  });
});
