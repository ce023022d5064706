import type { RgbaPicture } from "./grey-picture.ts";

/** A part of a picture, and how large to draw it before reading. */
export interface Crop {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Longest side in pixels after drawing. */
  readonly side: number;
}

/** The platform's own decoder of QR codes, which takes a picture as it came. */
export interface Decoder {
  /** The texts of the codes in that part of the picture, each once. */
  decode(picture: ImageBitmap, crop: Crop): Promise<readonly string[]>;
}

/** Basis of the threshold between light and dark: the shades around, the middle shade, or the whole picture. */
export type Threshold = "around" | "middle" | "whole";

/** A QR decoder of our own, which takes opaque pixels in grey; a better one can replace it without another change. */
export interface PixelDecoder {
  /** The texts of the codes in the picture, each once. */
  read(picture: RgbaPicture, threshold: Threshold): Promise<readonly string[]>;
}
