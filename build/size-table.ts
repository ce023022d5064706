import { withTable } from "./element-tables.ts";

/** The measured size of one script, or of those that load together, and its budget; both in bytes, with gzip. */
export interface ScriptSize {
  readonly name: string;
  readonly passed: boolean;
  readonly size: number;
  readonly sizeLimit: number;
}

const BETWEEN = /<!-- sizes -->[\s\S]*?<!-- \/sizes -->/;
const ROW = /^\| `([\w.-]+)` \| ([\d.]+) KB \|/gm;

/** The tolerance of the table, as a part of the budget, so that not every changed sentence changes it. */
const TOLERANCE = 0.015;

const BYTES_IN_KB = 1000;

function kilobytes(bytes: number): string {
  return `${(bytes / BYTES_IN_KB).toFixed(1)} KB`;
}

/** The sizes as a table in Markdown. */
export function sizeTable(sizes: readonly ScriptSize[]): string {
  const rows = sizes.map(
    ({ name, size, sizeLimit }) => `| \`${name}\` | ${kilobytes(size)} | ${kilobytes(sizeLimit)} |`,
  );
  return ["| Script, with all it needs | minified, gzip | at most |", "|---|--:|--:|", ...rows].join("\n");
}

/** The text with the table between its two markers; throws where they are missing. */
export function withSizeTable(text: string, sizes: readonly ScriptSize[]): string {
  return withTable(text, "sizes", sizeTable(sizes));
}

/** The faults of the sizes, and of the text's table of them, as messages. */
export function sizeFaults(text: string, sizes: readonly ScriptSize[]): readonly string[] {
  const told = new Map(
    [...(BETWEEN.exec(text)?.[0] ?? "").matchAll(ROW)].map(([, name, size]) => [name, Number(size)]),
  );
  const tooLarge = sizes
    .filter(({ passed }) => !passed)
    .map(({ name, size, sizeLimit }) => `${name} has ${size} bytes with gzip; its budget is ${sizeLimit}.`);
  const isStale = ({ name, size, sizeLimit }: ScriptSize): boolean =>
    Math.abs((told.get(name) ?? 0) * BYTES_IN_KB - size) > TOLERANCE * sizeLimit;
  const names = sizes.map(({ name }) => name);
  const stale = sizes.some(isStale) || [...told.keys()].some((name) => name === undefined || !names.includes(name));
  return stale ? [...tooLarge, "The README's table of sizes is stale: run npm run sizes."] : tooLarge;
}
