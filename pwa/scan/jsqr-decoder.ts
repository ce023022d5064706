import jsqr from "jsqr";
import { drawnSize } from "./crops.ts";
import type { Crop, Decoder } from "./decoder.ts";

/** Draws a crop on white, since a transparent ground would be read as black. */
function draw(canvas: OffscreenCanvas, picture: ImageBitmap, crop: Crop): ImageData {
  const { width, height } = drawnSize(crop);
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (pen === null) throw new Error("this browser cannot draw off the screen");
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, width, height);
  pen.drawImage(picture, crop.left, crop.top, crop.width, crop.height, 0, 0, width, height);
  return pen.getImageData(0, 0, width, height);
}

/** A decoder in plain JavaScript, which works everywhere. */
export function createJsqrDecoder(): Decoder {
  const canvas = new OffscreenCanvas(1, 1);
  return {
    async decode(picture, crop) {
      const { data, width, height } = draw(canvas, picture, crop);
      // Given every time, because jsqr remembers the options of the call before.
      const found = jsqr(data, width, height, { inversionAttempts: "attemptBoth" });
      return found === null || found.data === "" ? undefined : found.data;
    },
  };
}
