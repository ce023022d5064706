/** A part of a picture, and how large to draw it before reading. */
export interface Crop {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Longest side in pixels after drawing. */
  readonly side: number;
}

/** One way to read a QR code from a picture; a better one takes its place without the scanner changing. */
export interface Decoder {
  /** The text of a code in that part of the picture; undefined when none is found. */
  decode(picture: ImageBitmap, crop: Crop): Promise<string | undefined>;
}
