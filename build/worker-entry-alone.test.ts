import { build, loadConfigFromFile, type Plugin } from "vite";
import { expect, it } from "vitest";
import { workerEntryAlone } from "./worker-entry-alone.ts";

const MODULES: Readonly<Record<string, string>> = {
  "virtual:worker": 'import { grey } from "virtual:shared"; grey(1); onmessage = () => import("virtual:decoder");',
  "virtual:decoder": 'import { grey } from "virtual:shared"; grey(2);',
  "virtual:shared": "export const grey = (shade) => globalThis.seen.push(shade);",
};

const modules: Plugin = {
  name: "modules",
  resolveId: (id) => (id in MODULES ? id : undefined),
  load: (id) => MODULES[id],
};

function buildWith(groups: { readonly name: string; readonly test: RegExp }[]) {
  const rolldownOptions = { input: "virtual:worker", output: { codeSplitting: { groups } } };
  const plugins = [modules, workerEntryAlone()];
  return build({ configFile: false, logLevel: "silent", plugins, build: { write: false, rolldownOptions } });
}

it("a decoder that imports the worker's own script fails the build", async () => {
  await expect(buildWith([])).rejects.toThrow(/imports the worker's entry .+: let them share no module/);
});

it("what both import has a file of its own", async () => {
  await expect(buildWith([{ name: "shared", test: /shared/ }])).resolves.toBeDefined();
});

it("the build of the app's workers is checked", async () => {
  const loaded = await loadConfigFromFile({ command: "build", mode: "production" }, "vite.config.ts");
  const plugins = await Promise.all(loaded?.config.worker?.plugins?.() ?? []);
  expect(plugins).toContainEqual(expect.objectContaining({ name: workerEntryAlone().name }));
});
