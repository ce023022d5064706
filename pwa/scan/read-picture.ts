import { PIXEL_SIDES } from "./crops.ts";
import {
  type DecodeAttempt,
  fileAttempts,
  frameAttempts,
  largeFileAttempts,
  scriptFrameAttempts,
  smallFileAttempts,
} from "./decode-attempts.ts";
import type { PixelDecoder } from "./decoder.ts";
import { Findings } from "./findings.ts";
import { type GreyPicture, rgbaOf } from "./grey-picture.ts";

/** Our own decoders as far as they are loaded: the one in WebAssembly comes later than the script, or never. */
export interface Decoders {
  readonly wasm: PixelDecoder | undefined;
  readonly script: PixelDecoder;
}

/** An image file that can be drawn at several sizes. */
export interface ImageFile {
  /** Its longest side, in pixels. */
  readonly longest: number;
  /** Draws it with its longest side at that of {@link PIXEL_SIDES}, but never enlarged. */
  readonly draw: (side: "smallFile" | "file" | "largeFile") => GreyPicture;
}

/** After so long no further attempt is begun at a frame: the next one may be sharper. */
const FRAME_MS = 60;
/** After so long a person who waits for an image file is told that there is no code in it. */
const FILE_MS = 6_000;
/** For so long a wanted code is looked for in an image file where another one was found. */
const OTHER_MS = 1_000;

const NONE: readonly string[] = Object.freeze([]);

async function attempt(
  picture: GreyPicture,
  { by, filter, threshold }: DecodeAttempt,
  decoders: Decoders,
): Promise<readonly string[]> {
  return (await decoders[by]?.read(rgbaOf(filter(picture)), threshold)) ?? NONE;
}

/** One image file that is being read. */
interface FileReading {
  readonly decoders: Decoders;
  readonly findings: Findings;
  /** Milliseconds by the reader's clock. */
  end: number;
}

/**
 * Finds QR codes in grey pictures with the decoders that are loaded, within a time limit for a camera frame or an image
 * file; `now` gives the time in milliseconds. Where a picture has several codes it goes on until a wanted one is found.
 */
export class PictureReader {
  readonly #now: () => number;
  readonly #isWanted: (text: string) => boolean;
  #turn = 0;

  constructor(now: () => number, isWanted: (text: string) => boolean = () => true) {
    this.#now = now;
    this.#isWanted = isWanted;
  }

  /** Makes a few attempts at a frame: the usual ones, and in turns those for what is hard to read. */
  async readFrame(picture: GreyPicture, decoders: Decoders): Promise<readonly string[]> {
    const end = this.#now() + FRAME_MS;
    const findings = new Findings(this.#isWanted);
    const { always, inTurns } = decoders.wasm === undefined ? scriptFrameAttempts : frameAttempts;
    // All of them: beside the code in the finder there may be another payment code, and the person chooses.
    for (const usual of always) findings.add(await attempt(picture, usual, decoders));
    if (findings.hasWanted) return findings.texts;
    for (let taken = 0; taken < inTurns.length && (taken === 0 || this.#now() < end); taken++) {
      if (findings.add(await this.#nextAttempt(picture, inTurns, decoders))) break;
    }
    return findings.texts;
  }

  /** Makes every attempt at an image file: at its usual size and, where it has more pixels, at others. */
  async readFile({ longest, draw }: ImageFile, decoders: Decoders): Promise<readonly string[]> {
    const findings = new Findings(this.#isWanted);
    const reading = { decoders, findings, end: this.#now() + FILE_MS };
    const usual = draw("file");
    const steps = [
      [() => usual, fileAttempts.first],
      [longest > PIXEL_SIDES.smallFile && (() => draw("smallFile")), smallFileAttempts],
      [() => usual, fileAttempts.further],
      [longest > PIXEL_SIDES.file && (() => draw("largeFile")), largeFileAttempts],
    ] as const;
    for (const [drawn, attempts] of steps) {
      if (drawn && this.#now() < reading.end && (await this.#until(drawn(), attempts, reading))) break;
    }
    return findings.texts;
  }

  async #nextAttempt(
    picture: GreyPicture,
    attempts: readonly DecodeAttempt[],
    decoders: Decoders,
  ): Promise<readonly string[]> {
    const next = attempts[this.#turn++ % attempts.length];
    return next === undefined ? NONE : attempt(picture, next, decoders);
  }

  /** Makes attempts until one finds a wanted code, which it reports, or the time is up. */
  async #until(picture: GreyPicture, attempts: readonly DecodeAttempt[], reading: FileReading): Promise<boolean> {
    const { decoders, findings } = reading;
    for (const each of attempts) {
      if (this.#now() >= reading.end) return false;
      const hadSome = findings.texts.length > 0;
      if (findings.add(await attempt(picture, each, decoders))) return true;
      if (!hadSome && findings.texts.length > 0) reading.end = Math.min(reading.end, this.#now() + OTHER_MS);
    }
    return false;
  }
}
