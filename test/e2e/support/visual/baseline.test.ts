import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PNG } from "pngjs";
import { expect, test } from "vitest";
import { difference, keptNames } from "./baseline.ts";
import { smallPng } from "./small-png.ts";

const NAME = "home-light";

function kept(name: string): PNG {
  return PNG.sync.read(readFileSync(join(import.meta.dirname, "../../../visual", `${name}.png`)));
}

/** Gives every pixel of one colour another. */
function recolour(picture: PNG, from: string, to: string): Buffer {
  const [was, is] = [Buffer.from(from, "hex"), Buffer.from(to, "hex")];
  for (let at = 0; at < picture.data.length; at += 4) {
    if (was.equals(picture.data.subarray(at, at + 3))) picture.data.set(is, at);
  }
  return PNG.sync.write(picture);
}

/** Paints a square over a picture, in the text colour of the light theme. */
function blot(picture: PNG, size: number): Buffer {
  for (let at = 0; at < size * size; at++) {
    const place = 4 * ((100 + Math.floor(at / size)) * picture.width + 100 + (at % size));
    picture.data.set([0x12, 0x20, 0x1c], place);
  }
  return PNG.sync.write(picture);
}

test("a page that looks as it did differs in nothing, and one in which a letter changed does", () => {
  expect(difference(NAME, PNG.sync.write(kept(NAME)))).toBeUndefined();
  expect(difference(NAME, blot(kept(NAME), 8))).toMatch(/^home-light: \d\d pixels differ; see test-results/);
});

test("a page of which one colour changed a little differs", () => {
  expect(difference(NAME, recolour(kept(NAME), "0b6e5f", "1b7e6f"))).toContain("pixels differ");
});

test("a page of another size, and one of which no picture is kept, are told as that", () => {
  const other = keptNames().find((name) => kept(name).height !== kept(NAME).height) ?? "";
  expect(difference(NAME, PNG.sync.write(kept(other)))).toContain("it is 360 × ");
  expect(difference("nowhere", PNG.sync.write(kept(NAME)))).toContain("no picture of it is kept");
});

test("a kept picture has its frequent colours as they were, and the others nearly so", () => {
  const [width, height] = [90, 10];
  const picture = new PNG({ width, height });
  for (let at = 0; at < width * height; at++) {
    const [column, row] = [at % width, Math.floor(at / width)];
    picture.data.set(row > 0 ? [0xf7, 0xf6, 0xf2, 0xff] : [column, column, column, 0xff], 4 * at);
  }
  const { data } = PNG.sync.read(smallPng(picture));
  expect([...data.subarray(-4)]).toEqual([0xf7, 0xf6, 0xf2, 0xff]);
  const faults = Array.from({ length: width }, (_, column) => Math.abs((data[4 * column] ?? 0) - column));
  expect(Math.max(...faults)).toBeLessThan(30);
});
