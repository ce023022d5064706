/** A picture as decoders see it: one byte a pixel, from black to white. */
export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly shades: Uint8ClampedArray;
}

/** Pixels of four bytes, as a canvas gives them. */
export interface RgbaPicture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}

/** One step of grey, and full cover, in the four bytes of a pixel. */
const GREY = 0x01_01_01;
const OPAQUE = 0xff_00_00_00;

/** How bright each pixel of a canvas is to the eye (ITU-R BT.601, in 1024ths). */
export function greyOf({ width, height, data }: RgbaPicture): GreyPicture {
  const shades = new Uint8ClampedArray(width * height);
  for (let pixel = 0, at = 0; pixel < shades.length; pixel++, at += 4) {
    const brightness = 306 * (data[at] ?? 0) + 601 * (data[at + 1] ?? 0) + 117 * (data[at + 2] ?? 0);
    shades[pixel] = (brightness + 512) >> 10;
  }
  return { width, height, shades };
}

/** A grey picture as decoders for canvases take it. */
export function rgbaOf({ width, height, shades }: GreyPicture): RgbaPicture {
  const pixels = new Uint32Array(shades.length);
  for (let pixel = 0; pixel < pixels.length; pixel++) pixels[pixel] = (shades[pixel] ?? 0) * GREY + OPAQUE;
  return { width, height, data: new Uint8ClampedArray(pixels.buffer) };
}
