import type { Threshold } from "./decoder.ts";
import type { GreyPicture } from "./grey-picture.ts";
import { doubled, evened, halved, middleOf, sharpened, smoothed } from "./shade-filters.ts";

/** One way to decode a picture: the decoder, the filter before it, and its threshold. */
export interface Look {
  readonly by: "wasm" | "script";
  readonly see: (picture: GreyPicture) => GreyPicture;
  readonly threshold: Threshold;
}

/** Only the middle of a larger picture is doubled: its codes are large enough, and the whole would take seconds. */
const LARGEST_DOUBLED = 1_300 * 1_300;
/** Pixels that a decoder in plain JavaScript reads in a tenth of a second. */
const LARGEST_FOR_SCRIPT = 700 * 700;
/** Pixels around each from which its light and contrast are judged: a few modules of a code that fills the finder. */
const NEIGHBOURHOOD = 12;

function asItIs(picture: GreyPicture): GreyPicture {
  return picture;
}

function withoutGrain(picture: GreyPicture): GreyPicture {
  return evened(smoothed(picture), NEIGHBOURHOOD);
}

function withoutBlur(picture: GreyPicture): GreyPicture {
  return sharpened(picture, 4, 3);
}

function withoutShine(picture: GreyPicture): GreyPicture {
  return evened(withoutBlur(picture), NEIGHBOURHOOD);
}

function enlargedOf(picture: GreyPicture): GreyPicture {
  const { width, height } = picture;
  return doubled(width * height > LARGEST_DOUBLED ? middleOf(picture) : picture);
}

function closer(picture: GreyPicture): GreyPicture {
  return sharpened(enlargedOf(picture), 3, 2);
}

function closerWithoutBlur(picture: GreyPicture): GreyPicture {
  return sharpened(enlargedOf(picture), 6, 3);
}

function smallEnoughForScript(picture: GreyPicture): GreyPicture {
  return picture.width * picture.height > LARGEST_FOR_SCRIPT ? smallEnoughForScript(halved(picture)) : picture;
}

const PLAIN: Look = { by: "wasm", see: asItIs, threshold: "around" };
const SCRIPT: Look = { by: "script", see: asItIs, threshold: "around" };
const SMALL_SCRIPT: Look = { by: "script", see: smallEnoughForScript, threshold: "around" };

/** Further looks, the most promising first: for dark, blurred, shiny or distant codes. */
const OTHERS: readonly Look[] = Object.freeze([
  { by: "wasm", see: withoutGrain, threshold: "middle" },
  { by: "wasm", see: closerWithoutBlur, threshold: "around" },
  { by: "wasm", see: asItIs, threshold: "whole" },
  { by: "wasm", see: withoutBlur, threshold: "around" },
  { by: "wasm", see: withoutShine, threshold: "middle" },
  { by: "wasm", see: closer, threshold: "around" },
]);

function inTheMiddle(look: Look): Look {
  return { ...look, see: (picture) => look.see(middleOf(picture)) };
}

/** Further looks at frames; only some are taken at each, so that the next frame is read soon. */
const OTHERS_AT_FRAME: readonly Look[] = Object.freeze([...OTHERS, SMALL_SCRIPT].map(inTheMiddle));

/** The looks that are taken at a frame. */
export interface FrameLooks {
  /** Taken at every frame. */
  readonly always: readonly Look[];
  /** Taken by turns: the next frame goes on where this one left off. */
  readonly inTurns: readonly Look[];
}

/** The looks at frames: in full detail where the viewfinder is, then at the whole, then at what is hard to read. */
export const frameLooks: FrameLooks = Object.freeze({
  always: [inTheMiddle(PLAIN), PLAIN],
  inTurns: OTHERS_AT_FRAME,
});

/** The looks at frames while only the JavaScript decoder is loaded. */
export const scriptFrameLooks: FrameLooks = Object.freeze({
  always: [],
  inTurns: [inTheMiddle(SMALL_SCRIPT), SMALL_SCRIPT],
});

/** The looks at an image file, until one finds a code. */
export const fileLooks: readonly Look[] = Object.freeze([
  PLAIN,
  { ...PLAIN, see: halved },
  ...OTHERS,
  SMALL_SCRIPT,
  SCRIPT,
]);

/** The last looks at an image file that is larger than what the others were given. */
export const largeFileLooks: readonly Look[] = Object.freeze([PLAIN, ...OTHERS.map(inTheMiddle)]);
