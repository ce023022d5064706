import { drawnSize } from "./crops.ts";
import type { Crop } from "./decoder.ts";
import { type GreyPicture, greyOf } from "./grey-picture.ts";

/**
 * Draws a crop of a picture on white, since a transparent ground would be read as black, and returns its shades of
 * grey. Throws where the browser cannot draw off the screen.
 */
export function drawPicture(canvas: OffscreenCanvas, picture: ImageBitmap, crop: Crop): GreyPicture {
  const { width, height } = drawnSize(crop);
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (pen === null) throw new Error("this browser cannot draw off the screen");
  pen.imageSmoothingQuality = "high";
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, width, height);
  pen.drawImage(picture, crop.left, crop.top, crop.width, crop.height, 0, 0, width, height);
  return greyOf(pen.getImageData(0, 0, width, height));
}
