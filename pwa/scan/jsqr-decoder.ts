import jsqr from "jsqr";
import type { PixelDecoder } from "./decoder.ts";
import { rgbaOf } from "./grey-picture.ts";

/**
 * Creates the QR decoder in plain JavaScript (jsQR), which works everywhere and at once. It finds one code of a
 * picture, and ignores the threshold.
 */
export function createJsqrDecoder(): PixelDecoder {
  return {
    async read(picture) {
      const { data, width, height } = rgbaOf(picture);
      // Given every time, because jsqr remembers the options of the call before.
      const found = jsqr(data, width, height, { inversionAttempts: "attemptBoth" });
      return found === null || found.data === "" ? [] : [found.data];
    },
  };
}
