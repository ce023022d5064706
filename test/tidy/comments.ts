import { lineAt, type ProjectFile, REWRITTEN_NEXT } from "./project-files.ts";

const OPENING = /^ *(What|Whether|Who|Whom|Whose|Whatever|Whoever)\b/gm;

/** The opening sign of a comment, the closing one, and the star at the beginning of a line. */
const COMMENT_SIGN = /^\/\/+|^\/\*+|\*+\/$|^[ \t]*\*/gm;

/** The sentences of a script's comments, each in its place: all else, and the comments' own signs, are blank. */
export function proseOf({ text, parsed }: ProjectFile): string {
  let prose = "";
  for (const { start, end } of parsed?.comments ?? []) {
    prose += blank(text.slice(prose.length, start)) + text.slice(start, end).replace(COMMENT_SIGN, blank);
  }
  return prose;
}

function blank(code: string): string {
  return code.replace(/[^\n]/g, " ");
}

/** The comments of a file that open with a question word instead of with their subject or their verb. */
export function openingFaults(file: ProjectFile): readonly string[] {
  if (REWRITTEN_NEXT.test(file.path)) return [];
  return [...proseOf(file).matchAll(OPENING)].map(({ 0: found, 1: word, index }) => {
    const line = lineAt(file.text, index + found.length);
    return `${file.path}:${line} opens with "${word}": open with the subject ("The user that …") or the verb`;
  });
}
