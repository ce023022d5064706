import fc from "fast-check";
import { expect, test } from "vitest";
import { type GreyPicture, greyOf, rgbaOf } from "./grey-picture.ts";
import { doubled, evened, halved, middleOf, sharpened, smoothed } from "./shade-filters.ts";

const pictures = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 }), fc.integer())
  .map(([width, height, seed]): GreyPicture => {
    const shades = Uint8ClampedArray.from({ length: width * height }, (_, at) => Math.imul(at + 1, seed) >>> 24);
    return { width, height, shades };
  });

test.each([
  ["smoothed", smoothed, 1],
  ["sharpened", (picture: GreyPicture) => sharpened(picture, 2, 3), 1],
  ["doubled", doubled, 2],
] as const)("an even picture stays even when it is %s, up to its edges", (_name, filter, times) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 30 }),
      fc.nat(255),
      (width, height, shade) => {
        const even = filter({ width, height, shades: new Uint8ClampedArray(width * height).fill(shade) });
        expect([even.width, even.height]).toEqual([width * times, height * times]);
        expect([...new Set(even.shades)]).toEqual([shade]);
      },
    ),
  );
});

test("a picture of any size has as many shades after each change as it has pixels", () => {
  fc.assert(
    fc.property(pictures, (picture) => {
      const all = [smoothed(picture), evened(picture, 12), doubled(picture), halved(picture), middleOf(picture)];
      for (const { width, height, shades } of all) expect(shades.length).toBe(width * height);
    }),
  );
});

test("a mean is that of the square around a pixel, cut off at the edges", () => {
  const line = { width: 5, height: 1, shades: Uint8ClampedArray.of(0, 0, 90, 0, 0) };
  // Means of three, twice: 0 30 30 30 0 at first.
  expect([...smoothed(line).shades]).toEqual([15, 20, 30, 20, 15]);
});

test("a code in the dark is as clear as one in the light once it is evened", () => {
  const stripes = Array.from({ length: 64 * 64 }, (_, at) => ((at % 64) >> 2) % 2);
  const [light, dark] = [200, 12].map((contrast) => {
    const shades = Uint8ClampedArray.from(stripes, (stripe) => 20 + stripe * contrast);
    return evened({ width: 64, height: 64, shades }, 12).shades;
  });
  expect(dark?.map((shade) => (shade > 128 ? 1 : 0))).toEqual(Uint8ClampedArray.from(stripes));
  expect(Math.max(...(light ?? []).map((shade, at) => Math.abs(shade - (dark?.[at] ?? 0))))).toBeLessThan(3);
});

test("the finder's square is cut out of the middle", () => {
  const shades = Uint8ClampedArray.from({ length: 20 * 10 }, (_, at) => at % 20);
  const { width, height, shades: square } = middleOf({ width: 20, height: 10, shades });
  expect([width, height]).toEqual([7, 7]);
  expect([...square.subarray(0, 7)]).toEqual([6, 7, 8, 9, 10, 11, 12]);
});

test("grey pixels are the same after being made colours and back", () => {
  fc.assert(
    fc.property(pictures, (picture) => {
      expect(greyOf(rgbaOf(picture))).toEqual(picture);
    }),
  );
});
