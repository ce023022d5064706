import type { Threshold } from "./decoder.ts";
import type { GreyPicture } from "./grey-picture.ts";
import { doubled, evened, halved, middleOf, sharpened, smoothed } from "./shade-filters.ts";

/** One way to decode a picture: the decoder, the filter before it, and its threshold. */
export interface DecodeAttempt {
  readonly by: "wasm" | "script";
  readonly filter: (picture: GreyPicture) => GreyPicture;
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

function denoised(picture: GreyPicture): GreyPicture {
  return evened(smoothed(picture), NEIGHBOURHOOD);
}

function deblurred(picture: GreyPicture): GreyPicture {
  return sharpened(picture, 4, 3);
}

function deblurredEvenly(picture: GreyPicture): GreyPicture {
  return evened(deblurred(picture), NEIGHBOURHOOD);
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

const PLAIN: DecodeAttempt = { by: "wasm", filter: asItIs, threshold: "around" };
const SCRIPT: DecodeAttempt = { by: "script", filter: asItIs, threshold: "around" };
const SMALL_SCRIPT: DecodeAttempt = { by: "script", filter: smallEnoughForScript, threshold: "around" };

/** Further attempts, the most promising first: for dark, blurred, shiny or distant codes. */
const FALLBACKS: readonly DecodeAttempt[] = Object.freeze([
  { by: "wasm", filter: denoised, threshold: "middle" },
  { by: "wasm", filter: closerWithoutBlur, threshold: "around" },
  { by: "wasm", filter: asItIs, threshold: "whole" },
  { by: "wasm", filter: deblurred, threshold: "around" },
  { by: "wasm", filter: deblurredEvenly, threshold: "middle" },
  { by: "wasm", filter: closer, threshold: "around" },
]);

function croppedToMiddle(attempt: DecodeAttempt): DecodeAttempt {
  return { ...attempt, filter: (picture) => attempt.filter(middleOf(picture)) };
}

/** Further attempts at frames; only some are made at each, so that the next frame is read soon. */
const FRAME_FALLBACKS: readonly DecodeAttempt[] = Object.freeze([...FALLBACKS, SMALL_SCRIPT].map(croppedToMiddle));

/**
 * The attempts at camera frames: those made at every frame, and those of which each frame gets the next ones in turn.
 */
export interface FrameAttempts {
  /** Made at every frame. */
  readonly always: readonly DecodeAttempt[];
  /** Made in turn: the next frame goes on where this one left off. */
  readonly inTurns: readonly DecodeAttempt[];
}

/**
 * The attempts at camera frames: at the viewfinder's square in full detail, at the whole frame, and in turns those for
 * codes that are hard to read.
 */
export const frameAttempts: FrameAttempts = Object.freeze({
  always: [croppedToMiddle(PLAIN), PLAIN],
  inTurns: FRAME_FALLBACKS,
});

/** The attempts at camera frames while only the JavaScript decoder is loaded. */
export const scriptFrameAttempts: FrameAttempts = Object.freeze({
  always: [],
  inTurns: [croppedToMiddle(SMALL_SCRIPT), SMALL_SCRIPT],
});

/** The attempts at an image file, the quick ones first, made in this order until one finds a code. */
export const fileAttempts: Readonly<Record<"first" | "further", readonly DecodeAttempt[]>> = Object.freeze({
  first: [PLAIN, { ...PLAIN, filter: halved }],
  further: [...FALLBACKS, SMALL_SCRIPT, SCRIPT],
});

/** The attempts at a small drawing of an image file, in which noise and the dots of a screen are gone. */
export const smallFileAttempts: readonly DecodeAttempt[] = Object.freeze([PLAIN]);

/** The last attempts at an image file, on a larger drawing of it than {@link fileAttempts} get. */
export const largeFileAttempts: readonly DecodeAttempt[] = Object.freeze([PLAIN, ...FALLBACKS.map(croppedToMiddle)]);
