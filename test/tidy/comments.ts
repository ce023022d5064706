import { lineAt, type ProjectFile } from "./project-files.ts";

const OPENING = /^[ \t]*(?:\/\/|\/\*\*?|\*)[ \t]*(?:What|Whether|Who|Whom|Whose|Whatever|Whoever)\b/gm;
/** The storage of the ledger and the database's parts are next to be rewritten, with their comments. */
const LEFT = /^server\/(?:ledger\/storage|database)\//;

/** The comments of a file that open with a question word instead of with their subject or their verb. */
export function openingFaults({ path, text }: ProjectFile): readonly string[] {
  if (!path.endsWith(".ts") || LEFT.test(path)) return [];
  return [...text.matchAll(OPENING)].map(({ 0: found, index }) => {
    const line = lineAt(text, index + found.length);
    return `${path}:${line} opens with "${found.trim()}": open with the subject ("The user that …") or the verb`;
  });
}
