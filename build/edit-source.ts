import { RolldownMagicString } from "rolldown";

/** A replacement in a source text: the range, and the new text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A changed source with the map that leads from it back to the source as it was. */
export interface EditedSource {
  readonly code: string;
  readonly map: string;
}

/** Makes the edits, which must not overlap; gives nothing when there is none, as a transform that changes nothing. */
export function editSource(source: string, edits: readonly Edit[]): EditedSource | undefined {
  if (edits.length === 0) return undefined;
  const edited = new RolldownMagicString(source);
  for (const { start, end, text } of edits) {
    if (start === end) edited.appendLeft(start, text);
    else if (text === "") edited.remove(start, end);
    else edited.overwrite(start, end, text);
  }
  return { code: edited.toString(), map: edited.generateMap({ hires: "boundary" }).toString() };
}

/** The edits that put `write(found)` in the place of everything that a global pattern finds. */
export function replacements(
  source: string,
  pattern: RegExp,
  write: (found: RegExpMatchArray) => string,
): readonly Edit[] {
  return [...source.matchAll(pattern)].map((found) => ({
    start: found.index,
    end: found.index + found[0].length,
    text: write(found),
  }));
}
