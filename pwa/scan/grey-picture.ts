/** A picture in shades of grey, as our own filters take it: one byte a pixel, from black (0) to white (255). */
export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly shades: Uint8ClampedArray;
}

/** A picture in colour with four bytes a pixel (red, green, blue, alpha), as a canvas gives it. */
export interface RgbaPicture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}

/** One step of grey, and full cover, in the four bytes of a pixel. */
const GREY = 0x01_01_01;
const OPAQUE = 0xff_00_00_00;

/**
 * Converts a canvas's pixels to grey: how bright each is to the eye (ITU-R BT.601, in 1024ths). Ignores transparency.
 */
export function greyOf({ width, height, data }: RgbaPicture): GreyPicture {
  const shades = new Uint8ClampedArray(width * height);
  for (let pixel = 0, at = 0; pixel < shades.length; pixel++, at += 4) {
    const brightness = 306 * (data[at] ?? 0) + 601 * (data[at + 1] ?? 0) + 117 * (data[at + 2] ?? 0);
    shades[pixel] = (brightness + 512) >> 10;
  }
  return { width, height, shades };
}

/** Converts a grey picture to opaque pixels of four bytes, which decoders for canvases take. */
export function rgbaOf({ width, height, shades }: GreyPicture): RgbaPicture {
  const pixels = new Uint32Array(shades.length);
  for (let pixel = 0; pixel < pixels.length; pixel++) pixels[pixel] = (shades[pixel] ?? 0) * GREY + OPAQUE;
  return { width, height, data: new Uint8ClampedArray(pixels.buffer) };
}
