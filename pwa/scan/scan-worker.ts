import wasmUrl from "zxing-wasm/reader/zxing_reader.wasm?url";
import { cachedWasm } from "./cached-wasm.ts";
import { fileCrops, frameCrop, PIXEL_SIDES, whole } from "./crops.ts";
import type { Crop, Decoder, PixelDecoder } from "./decoder.ts";
import { drawPicture } from "./draw-picture.ts";
import { Findings } from "./findings.ts";
import { createNativeDecoder } from "./native-decoder.ts";
import { type Decoders, PictureReader } from "./read-picture.ts";
import type { ScanReply, ScanRequest } from "./scan-message.ts";

/**
 * Reads pictures off the page's thread: natively where the platform can, else with WebAssembly, and with a plain script
 * until that has arrived and where it never does.
 */
const worker = globalThis as unknown as DedicatedWorkerGlobalScope;

/** So many frames go to the platform's decoder alone; ours may then read what it cannot (inverted codes). */
const FRAMES_FOR_NATIVE = 10;
/** Longest wait of a chosen image for the WebAssembly, before the script reads it alone. */
const WASM_MS = 8_000;

const canvas = new OffscreenCanvas(1, 1);
const reader = new PictureReader(() => performance.now(), isWanted);
let native = createNativeDecoder();
let script: Promise<PixelDecoder> | undefined;
let wasm: PixelDecoder | undefined;
let wasmLoads: Promise<void> | undefined;
let frames = 0;
let wanted = "";

function isWanted(text: string): boolean {
  return text.includes(wanted);
}

function scriptDecoder(): Promise<PixelDecoder> {
  script ??= import("./jsqr-decoder.ts").then(({ createJsqrDecoder }) => createJsqrDecoder());
  return script;
}

async function loadWasm(): Promise<void> {
  try {
    const [{ createZxingDecoder }, module] = await Promise.all([import("./zxing-decoder.ts"), cachedWasm(wasmUrl)]);
    wasm = await createZxingDecoder(module);
  } catch {
    // Offline before the first use, or a browser that compiles no WebAssembly: the script goes on reading.
  }
}

/** Begins to fetch the WebAssembly, once, and after the script: on a slow network that reads seconds before. */
function wantWasm(): Promise<void> {
  wasmLoads ??= scriptDecoder().then(loadWasm, loadWasm);
  return wasmLoads;
}

/** Returns our decoders at present; the WebAssembly one is not used again once it fails. */
async function decoders(): Promise<Decoders> {
  return { wasm: wasm && { read: readWithWasm }, script: await scriptDecoder() };
}

async function readWithWasm(...picture: Parameters<PixelDecoder["read"]>): Promise<readonly string[]> {
  try {
    return (await wasm?.read(...picture)) ?? [];
  } catch {
    // Out of memory, as a rule; the script needs less.
    wasm = undefined;
    return [];
  }
}

/** Reads with the platform's decoder; one that fails once is not asked again. */
async function readNatively(picture: ImageBitmap, crops: readonly Crop[]): Promise<readonly string[]> {
  try {
    return await firstWanted(await native, picture, crops);
  } catch {
    native = Promise.resolve(undefined);
    return [];
  }
}

async function firstWanted(
  decoder: Decoder | undefined,
  picture: ImageBitmap,
  crops: readonly Crop[],
): Promise<readonly string[]> {
  const findings = new Findings(isWanted);
  for (const crop of decoder === undefined ? [] : crops) {
    if (findings.add((await decoder?.decode(picture, crop)) ?? [])) break;
  }
  return findings.texts;
}

/** Returns what our decoders found if a wanted code is among it, else what the platform's found before, if any. */
function better(ours: readonly string[], platforms: readonly string[]): readonly string[] {
  return platforms.length === 0 || ours.some(isWanted) ? ours : platforms;
}

function drawn(picture: ImageBitmap, side: keyof typeof PIXEL_SIDES) {
  return drawPicture(canvas, picture, whole(picture.width, picture.height, PIXEL_SIDES[side]));
}

async function readFrame(picture: ImageBitmap): Promise<readonly string[]> {
  const { width, height } = picture;
  const frame = frames++;
  const texts = await readNatively(picture, [frameCrop(width, height, frame)]);
  if (texts.some(isWanted)) {
    // Beside the code in the finder there may be another payment code, and the person chooses.
    const all = await readNatively(picture, [whole(width, height, PIXEL_SIDES.frame)]);
    return [...new Set([...texts, ...all])];
  }
  if ((await native) !== undefined && texts.length === 0 && frame < FRAMES_FOR_NATIVE) return [];
  wantWasm().catch(reportError);
  return better(await reader.readFrame(drawn(picture, "frame"), await decoders()), texts);
}

async function readFile(picture: ImageBitmap): Promise<readonly string[]> {
  const texts = await readNatively(picture, fileCrops(picture.width, picture.height));
  if (texts.some(isWanted)) return texts;
  await Promise.race([wantWasm(), new Promise((done) => setTimeout(done, WASM_MS))]);
  const longest = Math.max(picture.width, picture.height);
  const ours = await reader.readFile({ longest, draw: (side) => drawn(picture, side) }, await decoders());
  return better(ours, texts);
}

async function answer({ id, picture, effort, ...request }: ScanRequest): Promise<void> {
  wanted = request.wanted;
  try {
    const texts = await (effort === "frame" ? readFrame(picture) : readFile(picture));
    const reply: ScanReply = { id, texts };
    worker.postMessage(reply);
  } finally {
    picture.close();
  }
}

worker.addEventListener("message", ({ data }: MessageEvent<ScanRequest>) => {
  // Reported, so that the page's worker object gets an `error` event: a rejection alone would leave the page waiting.
  answer(data).catch(reportError);
});

// Fetched ahead where the platform has no decoder, so that the first picture does not wait for it.
native.then((decoder) => (decoder === undefined ? wantWasm() : undefined)).catch(reportError);
