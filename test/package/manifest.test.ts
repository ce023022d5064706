import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type DescribedElement, describeElements, elementsOf } from "../../build/package/describe-elements.ts";
import { elementNames } from "../../build/package/package-entries.ts";
import { TOKENS } from "../../widgets/shared/base-styles.ts";

const manifest = describeElements(elementNames(), "dist/package");
const elements = elementsOf(manifest);
const SHARED = "widgets/shared";
const named = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name).sort();

/** The texts of the sources in these folders. */
function sourcesOf(folders: readonly string[]): string {
  const paths = folders.flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`));
  const sources = paths.filter((path) => path.endsWith(".ts") && !/test|harness/.test(path));
  return sources.map((path) => readFileSync(path, "utf8")).join("\n");
}

function partsIn(source: string): string[] {
  return [...source.matchAll(/\bpart="([a-z -]+)/g)].flatMap(([, parts = ""]) => parts.trim().split(" "));
}

function eventsOf(tagName: string): string[] {
  const source = readFileSync(`widgets/${tagName}/${tagName}-events.ts`, "utf8");
  const map = /interface \w+EventMap \{([\s\S]*?)\n\}/.exec(source)?.[1] ?? "";
  return [...map.matchAll(/"([a-z-]+)": CustomEvent</g)].map(([, name = ""]) => name).sort();
}

async function classOf({ name, tagName }: DescribedElement) {
  const module = (await import(`../../widgets/${tagName}/${tagName}.ts`)) as Record<string, typeof HTMLElement>;
  return module[name] as typeof HTMLElement & { readonly observedAttributes: readonly string[] };
}

describe("the custom elements manifest", () => {
  it("describes every element that the package defines", () => {
    expect(elements.map(({ tagName }) => tagName)).toEqual(elementNames());
  });

  it("names published scripts, and the class that each definition is of", () => {
    const [definition] = manifest.modules.find(({ path }) => path === "dist/package/widgets/pay-qr.js")?.exports ?? [];
    expect(definition).toMatchObject({
      kind: "custom-element-definition",
      name: "pay-qr",
      declaration: { name: "PayQr", module: "dist/package/widgets/pay-qr/pay-qr.js" },
    });
    expect(JSON.stringify(manifest)).not.toMatch(/\.ts"/);
  });

  it("says nothing of what is private", () => {
    const members = elements.flatMap((element) => element.members);
    expect(members.filter(({ name, privacy = "public" }) => name.startsWith("#") || privacy !== "public")).toEqual([]);
  });

  describe.each(elements)("of <$tagName>", (element) => {
    const { tagName, attributes, events, cssParts, cssStates, cssProperties = [] } = element;

    it("has a sentence for everything that it names", () => {
      const { members } = element;
      const all = [element, ...members, ...attributes, ...events, ...cssParts, ...cssStates, ...cssProperties];
      expect(named(all.filter(({ description = "" }) => description.length < 5))).toEqual([]);
    });

    it("has each event that pages may listen to, with the type of its detail", () => {
      expect(eventsOf(tagName).length).toBeGreaterThan(0);
      expect(named(events)).toEqual(eventsOf(tagName));
      expect(events.filter(({ type }) => !/^CustomEvent<\w+>$/.test(type?.text ?? ""))).toEqual([]);
    });

    it("has each attribute that the element observes", async () => {
      const { observedAttributes } = await classOf(element);
      expect(observedAttributes.length).toBeGreaterThan(0);
      expect(named(attributes)).toEqual([...observedAttributes].sort());
    });

    it("has each part that its sources draw, and no other", () => {
      const parts = named(cssParts);
      const own = sourcesOf([`widgets/${tagName}`]);
      expect(partsIn(own).filter((part) => !parts.includes(part))).toEqual([]);
      const drawn = sourcesOf([`widgets/${tagName}`, SHARED]);
      // A part may be handed to a view as a word: `part="button ${part}"`.
      const isWord = (part: string) => /\bpart="[a-z -]*\$\{/.test(drawn) && drawn.includes(`"${part}"`);
      expect(parts.filter((part) => !partsIn(drawn).includes(part) && !isWord(part))).toEqual([]);
    });

    it("has states, and each property that its style sheets take", () => {
      expect(cssStates.length).toBeGreaterThan(0);
      const sheets = sourcesOf([`widgets/${tagName}`, SHARED]) + TOKENS;
      const taken = [...sheets.matchAll(/var\((--cupo-[a-z-]+)/g)].map(([, name = ""]) => name);
      expect(named(cssProperties)).toEqual([...new Set(taken)].sort());
    });
  });
});

it("npm pack leaves nothing in the work tree that git would add", () => {
  const { name, version } = JSON.parse(readFileSync("package.json", "utf8")) as { name: string; version: string };
  const made = [`${name}-${version}.tgz`, "dist/package/custom-elements.json"];
  const ignored = execFileSync("git", ["check-ignore", ...made], { encoding: "utf8" });
  expect(ignored.trim().split("\n")).toEqual(made);
});
