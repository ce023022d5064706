import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "rolldown/utils";

/** A node of a source's tree, as TypeScript's ESTree has it. */
interface TreeNode {
  readonly type?: string;
  readonly key?: { readonly type: string; readonly name?: string };
  readonly id?: { readonly name?: string };
  readonly superClass?: { readonly name?: string } | null;
  readonly value?: unknown;
  readonly accessibility?: string | null;
}

const MEMBERS: ReadonlySet<string | undefined> = new Set([
  "TSPropertySignature",
  "TSMethodSignature",
  "PropertyDefinition",
  "MethodDefinition",
  "TSAbstractMethodDefinition",
]);

/** Declared beside an element but read by pages, or read from what a page answers. */
const PUBLIC_FILE = /-events\.ts$/;
const PUBLIC_INTERFACES: readonly string[] = Object.freeze(["StartedSession"]);

const NAME = /[A-Za-z_$][\w$]*/g;
const WORD = /^[A-Za-z_$][\w$]*$/;

/** The names in one source. */
interface Names {
  /** Of members that the source declares. */
  readonly declared: Set<string>;
  /** That outside code may use, or that stand in a text by which a member may be accessed. */
  readonly kept: Set<string>;
}

/**
 * The names of members that nobody outside a script can know: declared in the elements' sources, not by an element (but
 * for what is protected there), an event or a session, in no text, not on the wire, and not the platform's. The build
 * may shorten them. Prose of the contract is no name, and so changes no script's size.
 */
export function internalNames(root: string): readonly string[] {
  const names: Names = { declared: new Set(), kept: new Set() };
  for (const file of sourcesIn(join(root, "widgets"))) collect(file, names);
  for (const file of sourcesIn(join(root, "src"))) keepWords(programOf(file), names);
  for (const file of platformFiles(root)) keepAll(file, names);
  return [...names.declared].filter((name) => name.length > 2 && !names.kept.has(name)).sort();
}

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => join(folder, file));
}

/** TypeScript's own description of the language and of browsers; it comes with the package of one platform. */
function platformFiles(root: string): readonly string[] {
  const packages = join(root, "node_modules/@typescript");
  const folder = readdirSync(packages)
    .map((name) => join(packages, name, "lib"))
    .find((lib) => existsSync(join(lib, "lib.dom.d.ts")));
  if (folder === undefined) throw new Error(`No lib.dom.d.ts below ${packages}: which names are the browser's?`);
  return readdirSync(folder)
    .filter((file) => /^lib\..*d\.ts$/.test(file))
    .map((file) => join(folder, file));
}

function keepAll(file: string, { kept }: Names): void {
  for (const [name] of readFileSync(file, "utf8").matchAll(NAME)) kept.add(name);
}

/** Keeps all names, and texts of one word, which may name a member; sentences and comments name none. */
function keepWords(node: unknown, names: Names): void {
  if (typeof node === "string" && WORD.test(node)) names.kept.add(node);
  if (typeof node !== "object" || node === null) return;
  for (const child of Object.values(node)) keepWords(child, names);
}

function programOf(file: string): unknown {
  const { program, errors } = parseSync(file, readFileSync(file, "utf8"));
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`);
  return program;
}

function collect(file: string, names: Names): void {
  visit(programOf(file), names, PUBLIC_FILE.test(file));
}

function visit(node: unknown, names: Names, isPublic: boolean): void {
  if (typeof node !== "object" || node === null) return;
  const tree = node as TreeNode;
  if (tree.type === "Literal" || tree.type === "TemplateElement") {
    for (const [name] of JSON.stringify(tree.value ?? "").matchAll(NAME)) names.kept.add(name);
    return;
  }
  if (MEMBERS.has(tree.type) && tree.key?.type === "Identifier" && tree.key.name !== undefined) {
    const isKept = isPublic && tree.accessibility !== "protected";
    (isKept ? names.kept : names.declared).add(tree.key.name);
  }
  const isPublicHere = isPublic || isElement(tree) || PUBLIC_INTERFACES.includes(tree.id?.name ?? "");
  for (const child of Object.values(node)) visit(child, names, isPublicHere);
}

function isElement({ type, superClass }: TreeNode): boolean {
  return type === "ClassDeclaration" && /^Base$|Element$/.test(superClass?.name ?? "");
}
