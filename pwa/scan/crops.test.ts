import fc from "fast-check";
import { expect, test } from "vitest";
import { drawnSize, fileCrops, frameCrop } from "./crops.ts";

const size = fc.integer({ min: 1, max: 8_000 });

test("a crop lies within its picture, and what is drawn has at least one pixel", () => {
  fc.assert(
    fc.property(size, size, fc.nat(9), (width, height, frame) => {
      for (const crop of [frameCrop(width, height, frame), ...fileCrops(width, height)]) {
        expect(crop.left).toBeGreaterThanOrEqual(0);
        expect(crop.top).toBeGreaterThanOrEqual(0);
        expect(crop.left + crop.width).toBeLessThanOrEqual(width);
        expect(crop.top + crop.height).toBeLessThanOrEqual(height);
        const drawn = drawnSize(crop);
        expect(Math.min(drawn.width, drawn.height)).toBeGreaterThanOrEqual(1);
        expect(Math.max(drawn.width, drawn.height)).toBeLessThanOrEqual(2_400);
      }
    }),
  );
});

test("a frame is never read larger than it is", () => {
  expect(frameCrop(320, 240, 1).side).toBe(320);
});

test("a large photograph is tried at several sizes, a small one once as it is and once smaller", () => {
  expect(fileCrops(4_000, 3_000).map(({ side }) => side)).toEqual([1_024, 640, 1_600, 2_400, 400, 1_024]);
  expect(fileCrops(512, 512).map(({ side }) => side)).toEqual([512, 400]);
});
