import type { GreyPicture } from "./grey-picture.ts";

/** Returns the mean around each pixel: of the square that reaches so many pixels to each side, cut at the edges. */
function meansAround(values: ArrayLike<number>, { width, height }: GreyPicture, reach: number): Float32Array {
  const along = new Float32Array(width * height);
  for (let start = 0; start < along.length; start += width)
    meanLine(values, along, { start, step: 1, length: width }, reach);
  const means = new Float32Array(width * height);
  for (let start = 0; start < width; start++) meanLine(along, means, { start, step: width, length: height }, reach);
  return means;
}

interface Line {
  readonly start: number;
  readonly step: number;
  readonly length: number;
}

/** Slides a window along a row or column, so that the cost does not depend on its width. */
function meanLine(from: ArrayLike<number>, to: Float32Array, { start, step, length }: Line, reach: number): void {
  let sum = 0;
  let count = 0;
  for (let ahead = 0; ahead < length + reach; ahead++) {
    if (ahead < length) {
      sum += from[start + ahead * step] ?? 0;
      count++;
    }
    const behind = ahead - 2 * reach - 1;
    if (behind >= 0) {
      sum -= from[start + behind * step] ?? 0;
      count--;
    }
    if (ahead >= reach) to[start + (ahead - reach) * step] = sum / count;
  }
}

/** Returns a picture with less noise, for one that was taken in little light. */
export function smoothed(picture: GreyPicture): GreyPicture {
  const once = meansAround(picture.shades, picture, 1);
  return { ...picture, shades: Uint8ClampedArray.from(meansAround(once, picture, 1)) };
}

/**
 * Undoes a blur in part: adds to each pixel `strength` times its difference from the shades up to twice `reach` pixels
 * around (unsharp mask).
 */
export function sharpened(picture: GreyPicture, reach: number, strength: number): GreyPicture {
  const around = meansAround(meansAround(picture.shades, picture, reach), picture, reach);
  const shades = picture.shades.map((shade, pixel) => shade + strength * (shade - (around[pixel] ?? shade)));
  return { ...picture, shades };
}

/** The middle shade, around which an evened picture's light and dark lie. */
const MIDDLE = 128;
/** Mean distance of its shades from the middle. */
const SPREAD = 64;
/** Below this the shades around differ by noise alone, which is not amplified. */
const LEAST_SPREAD = 3;

/** Gives every part of a picture the same brightness and contrast, which shadow, glare or darkness have taken away. */
export function evened(picture: GreyPicture, reach: number): GreyPicture {
  const means = meansAround(picture.shades, picture, reach);
  const off = means.map((mean, pixel) => (picture.shades[pixel] ?? 0) - mean);
  const spreads = meansAround(off.map(Math.abs), picture, reach);
  const shades = Uint8ClampedArray.from(
    off,
    (away, pixel) => MIDDLE + (away * SPREAD) / Math.max(LEAST_SPREAD, spreads[pixel] ?? 0),
  );
  return { ...picture, shades };
}

/** Weights of the four pixels around a place a quarter of a pixel beside the second of them (Catmull–Rom). */
const QUARTER = [-0.0703125, 0.8671875, 0.2265625, -0.0234375] as const;

/** Draws a picture twice as large, for codes whose modules are hardly larger than a pixel. */
export function doubled(picture: GreyPicture): GreyPicture {
  const { width, height, shades } = picture;
  const wide = new Float32Array(2 * width * height);
  for (let row = 0; row < height; row++) {
    doubleLine(shades, wide, { start: row * width, step: 1, length: width }, { start: row * 2 * width, step: 1 });
  }
  const large = new Float32Array(4 * width * height);
  for (let column = 0; column < 2 * width; column++) {
    const step = 2 * width;
    doubleLine(wide, large, { start: column, step, length: height }, { start: column, step });
  }
  return { width: 2 * width, height: 2 * height, shades: Uint8ClampedArray.from(large) };
}

function doubleLine(from: ArrayLike<number>, to: Float32Array, line: Line, into: Omit<Line, "length">): void {
  const { start, step, length } = line;
  const at = (place: number): number => from[start + Math.min(length - 1, Math.max(0, place)) * step] ?? 0;
  const [before, near, next, beyond] = QUARTER;
  for (let place = 0; place < length; place++) {
    const [left, here, right] = [at(place - 1), at(place), at(place + 1)];
    to[into.start + 2 * place * into.step] = before * right + near * here + next * left + beyond * at(place - 2);
    to[into.start + (2 * place + 1) * into.step] = before * left + near * here + next * right + beyond * at(place + 2);
  }
}

/** Share of a picture's shorter side that the viewfinder shows. */
const FINDER_SHARE = 0.7;

/** Returns the square in the middle of a picture that the viewfinder shows, in full detail. */
export function middleOf({ width, height, shades }: GreyPicture): GreyPicture {
  const side = Math.max(1, Math.round(Math.min(width, height) * FINDER_SHARE));
  const [left, top] = [Math.floor((width - side) / 2), Math.floor((height - side) / 2)];
  const square = new Uint8ClampedArray(side * side);
  for (let row = 0; row < side; row++) {
    const start = (top + row) * width + left;
    square.set(shades.subarray(start, start + side), row * side);
  }
  return { width: side, height: side, shades: square };
}

/** Draws a picture half as large, for blur and grain that hide a code's larger parts. */
export function halved({ width, height, shades }: GreyPicture): GreyPicture {
  const [halfWidth, halfHeight] = [Math.max(1, width >> 1), Math.max(1, height >> 1)];
  const half = new Uint8ClampedArray(halfWidth * halfHeight);
  for (let row = 0; row < halfHeight; row++) {
    for (let column = 0; column < halfWidth; column++) {
      const at = 2 * (row * width + column);
      const sum = (shades[at] ?? 0) + (shades[at + 1] ?? 0) + (shades[at + width] ?? 0) + (shades[at + width + 1] ?? 0);
      half[row * halfWidth + column] = sum / 4;
    }
  }
  return { width: halfWidth, height: halfHeight, shades: half };
}
