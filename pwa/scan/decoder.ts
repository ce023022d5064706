import type { GreyPicture } from "./grey-picture.ts";

/** A part of a picture, and how large to draw it before reading. */
export interface Crop {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Longest side in pixels after drawing. */
  readonly side: number;
}

/** The platform's own way to read a QR code, which is given a picture as it came. */
export interface Decoder {
  /** The text of a code in that part of the picture; undefined when none is found. */
  decode(picture: ImageBitmap, crop: Crop): Promise<string | undefined>;
}

/** What light and dark are told apart by: the shades around, the middle shade, or all shades of the picture. */
export type Threshold = "around" | "middle" | "whole";

/** A way of ours to read a QR code, which is given pixels; a better one takes its place and nothing else changes. */
export interface PixelDecoder {
  /** The text of a code in the picture; undefined when none is found. */
  read(picture: GreyPicture, threshold: Threshold): Promise<string | undefined>;
}
