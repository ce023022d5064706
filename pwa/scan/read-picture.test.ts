import { expect, test } from "vitest";
import { PIXEL_SIDES } from "./crops.ts";
import type { GreyPicture, RgbaPicture } from "./grey-picture.ts";
import { type ImageFile, PictureReader } from "./read-picture.ts";

const OURS = "a code of ours";
const isOurs = (text: string): boolean => text.startsWith(OURS);

function aPicture(side = 64): GreyPicture {
  return { width: side, height: side, shades: new Uint8ClampedArray(side * side) };
}

/** An image file whose drawings are a twentieth as long as they would be, and which of them were asked for. */
function aFile(longest = 640) {
  const drawn: string[] = [];
  const draw: ImageFile["draw"] = (side) => {
    drawn.push(side);
    return aPicture(PIXEL_SIDES[side] / 20);
  };
  return { longest, draw, drawn };
}

/** Decoders that find these texts, one after the other, and a clock that goes on by so much at each attempt. */
function aReader(found: readonly (readonly string[])[], msEach = 1) {
  let attempts = 0;
  const sides: number[] = [];
  const read = async ({ width }: RgbaPicture): Promise<readonly string[]> => {
    sides.push(width);
    return found[attempts++] ?? [];
  };
  const reader = new PictureReader(() => attempts * msEach, isOurs);
  return { reader, decoders: { wasm: { read }, script: { read } }, sides, attempts: () => attempts };
}

test("an attempt that finds another code is followed by others, until one finds ours", async () => {
  const { reader, decoders, attempts } = aReader([["wifi"], [], ["url", OURS], ["never"]]);
  expect(await reader.readFile(aFile(), decoders)).toEqual(["url", OURS]);
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
  expect(await reader.readFile(aFile(), decoders)).toEqual(["wifi"]);
  expect(attempts()).toBe(6);
});

test("an image file is read at 640 px before the attempts that take long, and larger after them", async () => {
  const { reader, decoders, sides, attempts } = aReader([]);
  const file = aFile(3_200);
  const attemptsBefore: number[] = [];
  const draw: ImageFile["draw"] = (side) => {
    attemptsBefore.push(attempts());
    return file.draw(side);
  };
  expect(await reader.readFile({ ...file, draw }, decoders)).toEqual([]);
  expect(sides.slice(0, 3)).toEqual([80, 40, 32]);
  expect(attemptsBefore.slice(0, 2)).toEqual([0, 2]);
  expect(attemptsBefore[2]).toBeGreaterThan(8);
});

test.each([
  [640, ["file"]],
  [641, ["file", "smallFile"]],
  [1_600, ["file", "smallFile"]],
  [1_601, ["file", "smallFile", "largeFile"]],
])("an image file of %d px is drawn at each size of which it has the pixels", async (longest, expected) => {
  const { reader, decoders } = aReader([]);
  const file = aFile(longest);
  await reader.readFile(file, decoders);
  expect(file.drawn).toEqual(expected);
});
