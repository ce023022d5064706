import { readdirSync, readFileSync } from "node:fs";
import { create, ts } from "@custom-elements-manifest/analyzer/index.js";
import { litPlugin } from "@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js";
import { baseStyles, TOKENS } from "../../widgets/shared/base-styles.ts";

const LOOK = "widgets/shared/base-styles.ts";

/** The part that each `--cupo-*` property of the shared look styles. */
const MEANINGS: Readonly<Record<string, string>> = Object.freeze({
  "--cupo-paper": "Behind the card.",
  "--cupo-surface": "The card itself.",
  "--cupo-ink": "Text.",
  "--cupo-ink-soft": "Text that says less: labels and hints.",
  "--cupo-line": "Borders and rules.",
  "--cupo-brand": "What can be pressed, and the ring of the focus.",
  "--cupo-on-brand": "Text on the brand's colour.",
  "--cupo-good": "A good end.",
  "--cupo-warn": "What wants attention.",
  "--cupo-bad": "What went wrong.",
  "--cupo-font": "The family of the letters.",
});

const PROPERTY = /var\(\s*(--cupo-[a-z-]+)\s*,((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/g;

/** Properties that every element takes, with the look's defaults; refuses one without a description. */
function lookProperties(): readonly { name: string; description: string; default: string }[] {
  const found = [...(TOKENS + baseStyles).matchAll(PROPERTY)].map(([, name = "", value = ""]) => {
    const description = MEANINGS[name];
    if (description === undefined) throw new Error(`${LOOK} takes ${name}: say in MEANINGS what it is for.`);
    return { name, description, default: value.trim() };
  });
  const gone = Object.keys(MEANINGS).filter((name) => !found.some((property) => property.name === name));
  if (gone.length > 0) throw new Error(`${LOOK} no longer takes ${gone.join(", ")}: take it out of MEANINGS.`);
  return found;
}

const SHARED = "widgets/shared";

/** A name with a sentence about it. */
interface Described {
  readonly name: string;
  readonly description?: string;
}

/** An event of an element. */
interface DescribedEvent extends Described {
  readonly type: { readonly text: string };
}

/** A field or method of an element. */
export interface DescribedMember extends Described {
  readonly kind: "field" | "method";
  readonly privacy?: "public" | "protected" | "private";
  readonly static?: boolean;
  readonly readonly?: boolean;
  readonly attribute?: string;
  readonly inheritedFrom?: unknown;
}

/** The class of an element, as the custom elements manifest describes it (schema 1.0.0). */
export interface DescribedElement extends Described {
  readonly kind: "class";
  readonly tagName: string;
  readonly customElement: true;
  readonly members: readonly DescribedMember[];
  readonly attributes: readonly (Described & { readonly fieldName: string; readonly inheritedFrom?: unknown })[];
  readonly events: readonly DescribedEvent[];
  readonly cssParts: readonly Described[];
  readonly cssStates: readonly Described[];
  readonly cssProperties?: readonly (Described & { readonly default?: string })[];
}

interface DescribedExport extends Described {
  readonly kind: "js" | "custom-element-definition";
  readonly declaration: { readonly name: string; readonly module: string };
}

interface DescribedModule {
  readonly kind: "javascript-module";
  readonly path: string;
  readonly declarations: readonly DescribedElement[];
  readonly exports: readonly DescribedExport[];
}

/** The content of `custom-elements.json`. */
export interface Manifest {
  readonly schemaVersion: string;
  readonly readme: string;
  readonly modules: readonly DescribedModule[];
}

function isElement(declaration: object): boolean {
  return "tagName" in declaration;
}

/** The elements of a manifest. */
export function elementsOf({ modules }: Manifest): readonly DescribedElement[] {
  return modules.flatMap(({ declarations }) => declarations);
}

/** The sources of the classes that elements inherit from: the elements have their members too. */
function sharedSources(): readonly string[] {
  const files = readdirSync(SHARED).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  return files.map((name) => `${SHARED}/${name}`);
}

/** Maps a source's path to that of the published script. */
function publishedPath(source: string, folder: string): string {
  return `${folder}/${source.replace(/\.ts$/, ".js")}`;
}

/** Presents members that are inherited from an unpublished class of ours as the element's own. */
function own<T extends { readonly inheritedFrom?: unknown }>({ inheritedFrom: _, ...described }: T) {
  return described;
}

function publicElement(element: DescribedElement, look: NonNullable<DescribedElement["cssProperties"]>) {
  const isPublic = ({ name, privacy = "public" }: DescribedMember) => privacy === "public" && !name.startsWith("#");
  return {
    ...element,
    members: element.members.filter((member) => isPublic(member) && member.static !== true).map(own),
    attributes: element.attributes.map(own),
    superclass: { name: "HTMLElement" },
    cssProperties: [...look, ...(element.cssProperties ?? [])],
  };
}

/**
 * Describes elements for editors, frameworks and documentation: the custom elements manifest of their sources, with the
 * paths of the published scripts below `folder`, without what is private, and with the look that all of them share.
 */
export function describeElements(names: readonly string[], folder: string): Manifest {
  const sources = names.flatMap((name) => [`widgets/${name}.ts`, `widgets/${name}/${name}.ts`]);
  const modules = [...sharedSources(), ...sources].map((path) =>
    ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ES2022, true),
  );
  const whole = create({ modules, plugins: litPlugin(), context: { dev: false, thirdPartyCEMs: [] } });
  const published = whole.modules.filter(({ path }) => sources.includes(path));
  const manifest = {
    ...whole,
    modules: published.map((module) => ({ ...module, declarations: module.declarations.filter(isElement) })),
  };
  const homes = new Map(
    manifest.modules.flatMap(({ path, declarations }) => declarations.map(({ name }) => [name, path] as const)),
  );
  const look = lookProperties();
  const declarationOf = ({ name }: { readonly name: string }) => {
    return { name, module: publishedPath(homes.get(name) ?? "", folder) };
  };
  return {
    ...manifest,
    modules: manifest.modules.map(({ path, declarations, exports, ...module }) => ({
      ...module,
      path: publishedPath(path, folder),
      declarations: declarations.map((each) => publicElement(each, look)),
      exports: exports
        .filter(({ declaration }) => homes.has(declaration.name))
        .map((each) => ({ ...each, declaration: declarationOf(each.declaration) })),
    })),
  };
}
