import { proseOf } from "./comments.ts";
import { lineAt, type ProjectFile } from "./project-files.ts";

/** Documents that comments cite. */
export const CITED = ["interface", "qr", "security"] as const;

/** `(interface: Idempotency)`, `(security: Rules, CSRF)`, `(security: Approval of a payment, 2)`. */
const CITATION = new RegExp(String.raw`\((${CITED.join("|")}):\s+([A-Z][^():,]*)(?:,\s+([^():,]+))?\)`, "g");

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

/** Words that go on in the next line of their comment, in one line. */
function joined(words: string): string {
  return words.trim().replace(/\s+/g, " ");
}

/** A numbered step, or a rule that begins in bold. */
function markOf(part: string): string {
  return /^\d+$/.test(part) ? `${part}. ` : `**${part}`;
}

/** The citations in a file's comments of sections, steps and rules that the cited document does not have. */
export function citationFaults(file: ProjectFile, documents: ReadonlyMap<string, string>): readonly string[] {
  return [...proseOf(file).matchAll(CITATION)].flatMap(
    ({ 0: cited, 1: name = "", 2: heading = "", 3: part, index }) => {
      const section = sectionOf(documents.get(name) ?? "", joined(heading))?.toLowerCase();
      if (section?.includes(part === undefined ? "" : markOf(joined(part)).toLowerCase())) return [];
      return [`${file.path}:${lineAt(file.text, index)} cites ${joined(cited)}, which docs/${name}.md does not have`];
    },
  );
}
