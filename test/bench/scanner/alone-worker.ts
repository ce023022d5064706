import jsqr from "jsqr";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";

/** A decoder that is measured by itself, with its package's defaults for everything but the format to look for. */
export type AloneDecoder = "jsqr" | "zxing-wasm";

/** One picture for one decoder. */
export interface AloneRequest {
  readonly by: AloneDecoder;
  readonly picture: ImageBitmap;
  /** Where the bench serves the WebAssembly. */
  readonly wasmUrl: string;
}

const canvas = new OffscreenCanvas(1, 1);

async function read({ by, picture, wasmUrl }: AloneRequest): Promise<string | undefined> {
  const { width, height } = picture;
  Object.assign(canvas, { width, height });
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen?.drawImage(picture, 0, 0);
  const pixels = pen?.getImageData(0, 0, width, height);
  if (pixels === undefined) throw new Error("no canvas");
  if (by === "jsqr") return jsqr(pixels.data, width, height)?.data;
  prepareZXingModule({ overrides: { locateFile: () => wasmUrl } });
  const [found] = await readBarcodes(pixels, { formats: ["QRCode"] });
  return found?.text;
}

globalThis.addEventListener("message", async ({ data }: MessageEvent<AloneRequest>) => {
  postMessage({ text: await read(data) });
});
