import { fileCrops, frameCrop } from "./crops.ts";
import type { Crop, Decoder } from "./decoder.ts";
import { createNativeDecoder } from "./native-decoder.ts";
import type { ScanReply, ScanRequest } from "./scan-message.ts";

/** Reads pictures off the page's thread: natively where the platform can, else with the script that is fetched then. */
const worker = globalThis as unknown as DedicatedWorkerGlobalScope;

let native: Promise<Decoder | undefined> | undefined;
let script: Promise<Decoder> | undefined;
let frames = 0;

function scriptDecoder(): Promise<Decoder> {
  script ??= import("./jsqr-decoder.ts").then(({ createJsqrDecoder }) => createJsqrDecoder());
  return script;
}

async function nativeDecoder(): Promise<Decoder | undefined> {
  native ??= createNativeDecoder();
  return native;
}

/** Reads with the native decoder; one that fails once is not asked again. */
async function decode(picture: ImageBitmap, crop: Crop): Promise<string | undefined> {
  const platform = await nativeDecoder();
  if (platform === undefined) return (await scriptDecoder()).decode(picture, crop);
  try {
    return await platform.decode(picture, crop);
  } catch {
    native = Promise.resolve(undefined);
    return (await scriptDecoder()).decode(picture, crop);
  }
}

async function read({ picture, effort }: ScanRequest): Promise<string | undefined> {
  const { width, height } = picture;
  const crops = effort === "frame" ? [frameCrop(width, height, frames++)] : fileCrops(width, height);
  for (const crop of crops) {
    const text = await decode(picture, crop);
    if (text !== undefined) return text;
  }
  return undefined;
}

async function answer(request: ScanRequest): Promise<void> {
  try {
    const text = await read(request);
    const reply: ScanReply = { id: request.id, ...(text === undefined ? {} : { text }) };
    worker.postMessage(reply);
  } finally {
    request.picture.close();
  }
}

worker.addEventListener("message", ({ data }: MessageEvent<ScanRequest>) => {
  // Reported, so that the page's worker object hears of it: a rejection alone would leave the page waiting.
  answer(data).catch(reportError);
});
