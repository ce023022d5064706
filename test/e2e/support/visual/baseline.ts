import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import { inFewColours, smallPng } from "./small-png.ts";

const KEPT = join(import.meta.dirname, "../../../visual");
const RESULTS = join(import.meta.dirname, "../../../../test-results/visual");
const DRAWN_BY = join(KEPT, "drawn-by.json");

/** Difference of a pixel's colour from which it counts: some ten of 255 shades. */
const COLOUR_THRESHOLD = 0.04;
/** Most pixels that may differ. Two runs on one machine differ in none; a changed letter, colour or place, in more. */
const MOST_DIFFERENT = 40;

/** The renderer of the pictures: a browser and its fonts. Another machine's draw other pictures of the same page. */
export interface Renderer {
  readonly chromium: string;
  readonly fonts: string;
}

/** True if the same renderer drew the kept pictures. */
export function isSameRenderer(now: Renderer): boolean {
  if (!existsSync(DRAWN_BY)) return false;
  return JSON.stringify(JSON.parse(readFileSync(DRAWN_BY, "utf8"))) === JSON.stringify(now);
}

/** Removes all kept pictures, and records the renderer of the next ones. */
export function recordBaseline(now: Renderer): void {
  rmSync(KEPT, { recursive: true, force: true });
  mkdirSync(KEPT, { recursive: true });
  writeFileSync(DRAWN_BY, `${JSON.stringify(now, undefined, 2)}\n`);
}

/** Keeps a picture as the baseline of its page. */
export function keep(name: string, picture: Buffer): void {
  writeFileSync(join(KEPT, `${name}.png`), smallPng(PNG.sync.read(picture)));
}

/** The names of all pictures that are kept. */
export function keptNames(): readonly string[] {
  return readdirSync(KEPT)
    .filter((file) => file.endsWith(".png"))
    .map((file) => file.replace(/\.png$/, ""));
}

/** Says how a picture differs from the kept one, and writes it and the difference; undefined if it does not. */
export function difference(name: string, picture: Buffer): string | undefined {
  const file = join(KEPT, `${name}.png`);
  if (!existsSync(file)) return leave(name, picture, "no picture of it is kept");
  const [was, is] = [PNG.sync.read(readFileSync(file)), PNG.sync.read(picture)];
  const { height, width } = is;
  if (was.width !== width || was.height !== height) {
    return leave(name, picture, `it is ${width} × ${height} and was ${was.width} × ${was.height}`);
  }
  const shown = new PNG({ width, height });
  const now = inFewColours(is);
  const different = pixelmatch(was.data, now, shown.data, width, height, { threshold: COLOUR_THRESHOLD });
  if (different <= MOST_DIFFERENT) return undefined;
  return leave(name, picture, `${different} pixels differ`, PNG.sync.write(shown));
}

function leave(name: string, picture: Buffer, sentence: string, shown?: Buffer): string {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, `${name}.png`), picture);
  if (shown !== undefined) writeFileSync(join(RESULTS, `${name}.difference.png`), shown);
  return `${name}: ${sentence}; see test-results/visual`;
}

/** How many different colours a picture has: a page that shows nothing has one. */
export function coloursOf(picture: Buffer): number {
  const { data } = PNG.sync.read(picture);
  return new Set(new Uint32Array(data.buffer, data.byteOffset, data.length / 4)).size;
}
