import {
  type DecodeAttempt,
  fileAttempts,
  frameAttempts,
  largeFileAttempts,
  scriptFrameAttempts,
} from "./decode-attempts.ts";
import type { PixelDecoder } from "./decoder.ts";
import type { GreyPicture } from "./grey-picture.ts";

/** Our own decoders as far as they are loaded: the one in WebAssembly comes later than the script, or never. */
export interface Decoders {
  readonly wasm: PixelDecoder | undefined;
  readonly script: PixelDecoder;
}

/** After so long no further attempt is begun at a frame: the next one may be sharper. */
const FRAME_MS = 60;
/** After so long a person who waits for an image file is told that there is no code in it. */
const FILE_MS = 6_000;

async function attempt(
  picture: GreyPicture,
  { by, filter, threshold }: DecodeAttempt,
  decoders: Decoders,
): Promise<string | undefined> {
  return decoders[by]?.read(filter(picture), threshold);
}

/**
 * Finds QR codes in grey pictures with the decoders that are loaded, within a time limit for a camera frame or an image
 * file; `now` gives the time in milliseconds.
 */
export class PictureReader {
  readonly #now: () => number;
  #turn = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Makes a few attempts at a frame: the usual ones, and in turns those for what is hard to read. */
  async readFrame(picture: GreyPicture, decoders: Decoders): Promise<string | undefined> {
    const end = this.#now() + FRAME_MS;
    const { always, inTurns } = decoders.wasm === undefined ? scriptFrameAttempts : frameAttempts;
    for (const usual of always) {
      const text = await attempt(picture, usual, decoders);
      if (text !== undefined) return text;
    }
    for (let taken = 0; taken < inTurns.length && (taken === 0 || this.#now() < end); taken++) {
      const text = await this.#nextAttempt(picture, inTurns, decoders);
      if (text !== undefined) return text;
    }
    return undefined;
  }

  /** Makes every attempt at an image file. `larger` draws it in more detail where it has more. */
  async readFile(picture: GreyPicture, decoders: Decoders, larger?: () => GreyPicture): Promise<string | undefined> {
    const end = this.#now() + FILE_MS;
    const found = await this.#until(end, picture, fileAttempts, decoders);
    if (found !== undefined || larger === undefined || this.#now() >= end) return found;
    return this.#until(end, larger(), largeFileAttempts, decoders);
  }

  async #nextAttempt(
    picture: GreyPicture,
    attempts: readonly DecodeAttempt[],
    decoders: Decoders,
  ): Promise<string | undefined> {
    const next = attempts[this.#turn++ % attempts.length];
    return next && attempt(picture, next, decoders);
  }

  async #until(
    end: number,
    picture: GreyPicture,
    attempts: readonly DecodeAttempt[],
    decoders: Decoders,
  ): Promise<string | undefined> {
    for (const each of attempts) {
      if (this.#now() >= end) return undefined;
      const text = await attempt(picture, each, decoders);
      if (text !== undefined) return text;
    }
    return undefined;
  }
}
