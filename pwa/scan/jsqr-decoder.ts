import jsqr from "jsqr";
import type { PixelDecoder } from "./decoder.ts";
import { rgbaOf } from "./grey-picture.ts";

/** A decoder in plain JavaScript, which works everywhere and at once. */
export function createJsqrDecoder(): PixelDecoder {
  return {
    async read(picture) {
      const { data, width, height } = rgbaOf(picture);
      // Given every time, because jsqr remembers the options of the call before.
      const found = jsqr(data, width, height, { inversionAttempts: "attemptBoth" });
      return found === null || found.data === "" ? undefined : found.data;
    },
  };
}
