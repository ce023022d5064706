import { execFileSync } from "node:child_process";
import { SourceMap, type SourceMapPayload } from "node:module";
import { resolve } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { buildWithMap } from "../test/support/build-widget.ts";
import { WIDGET_BUNDLES } from "./widget-bundles.ts";

let code = "";
let map: SourceMapPayload;

beforeAll(async () => {
  // The test runner's own would make vite choose the development build of Lit.
  vi.stubEnv("NODE_ENV", "production");
  const built = await buildWithMap("widgets");
  vi.unstubAllEnvs();
  code = built.code;
  map = JSON.parse(built.map) as SourceMapPayload;
});

/** The source's line that a place in the script leads to, and its file. */
function sourceOf(text: string): string {
  const before = code.slice(0, code.indexOf(text)).split("\n");
  const entry = new SourceMap(map).findEntry(before.length - 1, before.at(-1)?.length ?? 0);
  if (!("originalSource" in entry)) throw new Error(`nothing leads from "${text}" to a source`);
  const source = map.sourcesContent[map.sources.indexOf(entry.originalSource)] ?? "";
  return `${entry.originalSource}: ${source.split("\n")[entry.originalLine]?.slice(entry.originalColumn)}`;
}

describe("the script with every element", () => {
  it("defines each of them, needs nothing else, and creates no policy of Lit's own name", () => {
    const elements = Object.keys(WIDGET_BUNDLES).filter((name) => name !== "widgets");
    expect(elements).toContain("pay-qr");
    for (const name of elements) expect(code).toMatch(new RegExp(`customElements\\.define\\([\`"']${name}[\`"']`));
    expect(code).not.toMatch(/createPolicy\(.lit-html/);
    expect(code).not.toMatch(/\bimport\s*[({"'`]/);
    expect(code).not.toMatch(/\n {2}/);
  });

  it.each([
    ["pay-expired", 'widgets/pay-qr/pay-qr-events.ts: "pay-expired", {'],
    ["createPolicy(`cupo`", 's.createPolicy("lit-html"'],
    ["285,", "widgets/shared/qr-code/codewords.ts: 0x11d"],
    ["Selecciona el código", 'src/language/es/elements/pay-qr.ts: "Selecciona el código y cópialo"'],
    ["customElements.define(`pay-qr`", 'widgets/pay-qr.ts: customElements.define("pay-qr", PayQr)'],
  ])("leads from %j, past all that the build changed, to its line in the sources", (text, source) => {
    expect(code.includes(text)).toBe(true);
    expect(sourceOf(text)).toContain(source);
  });

  it("comes with a map that holds every source, and tells nothing of the machine that built it", () => {
    expect(code).toMatch(/\n\/\/# sourceMappingURL=widgets\.js\.map\n?$/);
    expect(map.sourcesContent.length).toBe(map.sources.length);
    for (const content of map.sourcesContent) expect(content).toBeTruthy();
    expect(JSON.stringify(map).includes(resolve("."))).toBe(false);
  });
});

it.each(Object.values(WIDGET_BUNDLES))("%s can be imported where there is no page", (file) => {
  const program = `process.stdout.write(Object.values(await import("./${file}")).map((it) => typeof it).join());`;
  const types = execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  expect(types).toMatch(/^function(,function)*$/);
});
