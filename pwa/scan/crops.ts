import type { Crop } from "./decoder.ts";

/** Side at which the platform's decoder reads a frame: enough for version 13 in a third of it, fast on old phones. */
const FRAME_SIDE = 640;

/** Sides at which the platform tries an image file: small reads blurred photographs, large reads a code in a corner. */
const FILE_SIDES: readonly number[] = Object.freeze([1_024, 640, 1_600, 2_400, 400]);

/**
 * Longest side, in pixels, at which our own decoders get a camera frame or an image file; `largeFile` is for a second
 * reading of a file that has as many, `smallFile` for one that is blurred or noisy.
 */
export const PIXEL_SIDES = Object.freeze({ frame: 1_280, smallFile: 640, file: 1_600, largeFile: 3_200 });

/** Share of the frame that the viewfinder shows. */
const FINDER_SHARE = 0.7;

/**
 * Returns the crop that is the whole picture, to be drawn with its longest side at `side` pixels, but never enlarged.
 */
export function whole(width: number, height: number, side: number): Crop {
  return { left: 0, top: 0, width, height, side: Math.min(side, Math.max(width, height)) };
}

function middle(width: number, height: number, side: number): Crop {
  const edge = Math.round(Math.min(width, height) * FINDER_SHARE);
  const left = Math.round((width - edge) / 2);
  const top = Math.round((height - edge) / 2);
  return { left, top, width: edge, height: edge, side: Math.min(side, edge) };
}

/**
 * Returns the part of the n-th camera frame that the platform's decoder reads: by turns the viewfinder's square in full
 * detail, and the whole.
 */
export function frameCrop(width: number, height: number, frame: number): Crop {
  return frame % 2 === 0 ? middle(width, height, FRAME_SIDE) : whole(width, height, FRAME_SIDE);
}

/** Returns the crops of an image file that the platform's decoder tries, in this order, until it finds a code. */
export function fileCrops(width: number, height: number): readonly Crop[] {
  const longest = Math.max(width, height);
  const sides = FILE_SIDES.filter((side, index) => index === 0 || side < longest);
  const all = sides.map((side) => whole(width, height, side));
  return longest > FRAME_SIDE ? [...all, middle(width, height, 1_024)] : all;
}

/** Returns the size at which a crop is drawn, in whole pixels. */
export function drawnSize({ width, height, side }: Crop): { readonly width: number; readonly height: number } {
  const scale = side / Math.max(width, height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
