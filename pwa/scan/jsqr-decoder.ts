import jsqr from "jsqr";
import type { PixelDecoder } from "./decoder.ts";

/**
 * Creates the QR decoder in plain JavaScript (jsQR), which works everywhere and at once. It finds one code of a
 * picture, and ignores the threshold.
 */
export function createJsqrDecoder(): PixelDecoder {
  return {
    async read({ data, width, height }) {
      // Given every time, because jsqr remembers the options of the call before.
      const found = jsqr(data, width, height, { inversionAttempts: "attemptBoth" });
      return found === null || found.data === "" ? [] : [found.data];
    },
  };
}
