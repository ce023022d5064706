import type { PixelDecoder } from "./decoder.ts";
import type { GreyPicture } from "./grey-picture.ts";
import { fileLooks, frameLooks, type Look, largeFileLooks, scriptFrameLooks } from "./looks.ts";

/** The decoders at hand; the one in WebAssembly comes later than the script, or never. */
export interface Decoders {
  readonly wasm: PixelDecoder | undefined;
  readonly script: PixelDecoder;
}

/** After so long no further look is begun at a frame: the next one may be sharper. */
const FRAME_MS = 60;
/** After so long a person who waits for an image file is told that there is no code in it. */
const FILE_MS = 6_000;

async function look(
  picture: GreyPicture,
  { by, see, threshold }: Look,
  decoders: Decoders,
): Promise<string | undefined> {
  return decoders[by]?.read(see(picture), threshold);
}

/** Reads pictures with whatever decoders there are; `now` tells the time in milliseconds. */
export class PictureReader {
  readonly #now: () => number;
  #turn = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes a few looks at a frame: the usual ones, and in turns those for what is hard to read. */
  async readFrame(picture: GreyPicture, decoders: Decoders): Promise<string | undefined> {
    const end = this.#now() + FRAME_MS;
    const { always, inTurns } = decoders.wasm === undefined ? scriptFrameLooks : frameLooks;
    for (const usual of always) {
      const text = await look(picture, usual, decoders);
      if (text !== undefined) return text;
    }
    for (let taken = 0; taken < inTurns.length && (taken === 0 || this.#now() < end); taken++) {
      const text = await this.#nextLook(picture, inTurns, decoders);
      if (text !== undefined) return text;
    }
    return undefined;
  }

  /** Takes every look at an image file. `larger` draws it in more detail where it has more. */
  async readFile(picture: GreyPicture, decoders: Decoders, larger?: () => GreyPicture): Promise<string | undefined> {
    const end = this.#now() + FILE_MS;
    const found = await this.#until(end, picture, fileLooks, decoders);
    if (found !== undefined || larger === undefined || this.#now() >= end) return found;
    return this.#until(end, larger(), largeFileLooks, decoders);
  }

  async #nextLook(picture: GreyPicture, looks: readonly Look[], decoders: Decoders): Promise<string | undefined> {
    const next = looks[this.#turn++ % looks.length];
    return next && look(picture, next, decoders);
  }

  async #until(
    end: number,
    picture: GreyPicture,
    looks: readonly Look[],
    decoders: Decoders,
  ): Promise<string | undefined> {
    for (const each of looks) {
      if (this.#now() >= end) return undefined;
      const text = await look(picture, each, decoders);
      if (text !== undefined) return text;
    }
    return undefined;
  }
}
