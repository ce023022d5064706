import { lineAt, type ProjectFile } from "./project-files.ts";

/** Documents that comments cite. */
export const CITED = ["interface", "qr", "security"] as const;

/** `(interface: Idempotency)`, `(security: Rules, CSRF)`, `(security: Approval of a payment, 2)`. */
const CITATION = new RegExp(
  String.raw`^[ \t]*(?:\/\/|\/?\*).*?\((${CITED.join("|")}): ([A-Z][^():,]*)(?:, ([^():,]+))?\)`,
  "gm",
);

/** The text below a heading of a document, up to the next heading of its level; undefined where there is none. */
function sectionOf(document: string, heading: string): string | undefined {
  const lines = document.split("\n");
  const start = lines.findIndex((line) => line.replace(/^#+ /, "") === heading && line.startsWith("#"));
  if (start === -1) return undefined;
  const level = lines[start]?.indexOf(" ") ?? 0;
  const below = lines.slice(start + 1);
  const end = below.findIndex((line) => /^#+ /.test(line) && line.indexOf(" ") <= level);
  return below.slice(0, end === -1 ? below.length : end).join("\n");
}

/** A citation that goes on in the next line of its comment, in one line. */
function joined(text: string): string {
  return text.replace(/\s*\n\s*\*\s*/g, " ");
}

/** A numbered step, or a rule that begins in bold. */
function markOf(part: string): string {
  return /^\d+$/.test(part) ? `${part}. ` : `**${part}`;
}

/** The citations in a file's comments of sections, steps and rules that the cited document does not have. */
export function citationFaults({ path, text }: ProjectFile, documents: ReadonlyMap<string, string>): readonly string[] {
  if (!path.endsWith(".ts")) return [];
  return [...text.matchAll(CITATION)].flatMap(({ 0: line, 1: name = "", 2: heading = "", 3: part, index }) => {
    const section = sectionOf(documents.get(name) ?? "", joined(heading))?.toLowerCase();
    if (section?.includes(part === undefined ? "" : markOf(part).toLowerCase())) return [];
    const cited = joined(line.slice(line.lastIndexOf("(")));
    return [`${path}:${lineAt(text, index + line.length)} cites ${cited}, which docs/${name}.md does not have`];
  });
}
