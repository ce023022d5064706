import { expect, test } from "vitest";
import type { GreyPicture } from "./grey-picture.ts";
import { PictureReader } from "./read-picture.ts";

const OURS = "a code of ours";
const isOurs = (text: string): boolean => text.startsWith(OURS);

function aPicture(side = 64): GreyPicture {
  return { width: side, height: side, shades: new Uint8ClampedArray(side * side) };
}

/** Decoders that find these texts, one after the other, and a clock that goes on by so much at each attempt. */
function aReader(found: readonly (readonly string[])[], msEach = 1) {
  let attempts = 0;
  const sides: number[] = [];
  const read = async ({ width }: GreyPicture): Promise<readonly string[]> => {
    sides.push(width);
    return found[attempts++] ?? [];
  };
  const reader = new PictureReader(() => attempts * msEach, isOurs);
  return { reader, decoders: { wasm: { read }, script: { read } }, sides, attempts: () => attempts };
}

test("an attempt that finds another code is followed by others, until one finds ours", async () => {
  const { reader, decoders, attempts } = aReader([["wifi"], [], ["url", OURS], ["never"]]);
  expect(await reader.readFile(aPicture(), decoders)).toEqual(["url", OURS]);
  expect(attempts()).toBe(3);
});

test("of a frame, too, both usual attempts are made, and one in turn", async () => {
  const { reader, decoders, attempts } = aReader([["wifi"], [OURS]]);
  expect(await reader.readFrame(aPicture(), decoders)).toEqual([OURS]);
  const other = aReader([["wifi"], ["wifi", "url"], []], 100);
  expect(await other.reader.readFrame(aPicture(), other.decoders)).toEqual(["wifi"]);
  expect([attempts(), other.attempts()]).toEqual([2, 3]);
});

test("beside the code of ours in the finder the whole frame is searched for another of ours", async () => {
  const { reader, decoders, attempts } = aReader([[OURS], ["wifi", OURS, `${OURS}, too`]]);
  expect(await reader.readFrame(aPicture(), decoders)).toEqual([OURS, "wifi", `${OURS}, too`]);
  expect(attempts()).toBe(2);
});

test("ours is looked for beside another code of an image file for a second, and told where there is none", async () => {
  const { reader, decoders, attempts } = aReader([[], ["wifi"]], 250);
  expect(await reader.readFile(aPicture(), decoders)).toEqual(["wifi"]);
  expect(attempts()).toBe(6);
});

test("a smaller drawing is read before the attempts that take long, a larger one after them", async () => {
  const { reader, decoders, sides } = aReader([]);
  const redrawings = { smaller: () => aPicture(20), larger: () => aPicture(300) };
  expect(await reader.readFile(aPicture(100), decoders, redrawings)).toEqual([]);
  expect(sides.slice(0, 3)).toEqual([100, 50, 20]);
  expect(sides.indexOf(300)).toBeGreaterThan(sides.indexOf(20) + 5);
});
