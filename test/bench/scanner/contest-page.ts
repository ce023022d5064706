import type { Page } from "playwright-core";
import type { ScanReply, ScanRequest } from "../../../pwa/scan/scan-message.ts";
import type { AloneDecoder, AloneRequest } from "./alone-worker.ts";

/** A reader of pictures: each package alone, and the app's own worker, given one picture or frames of a camera. */
export type Decoder = AloneDecoder | "picture" | "camera";

/** The result of one contestant on one picture. */
export interface Reading {
  readonly text: string | undefined;
  readonly ms: number;
  /** Frames of the picture that it was given; 1 but for the camera. */
  readonly frames: number;
}

/** The addresses of the scripts and the WebAssembly that the page measures. */
export interface ContestPlaces {
  readonly workerUrl: string;
  readonly aloneUrl: string;
  readonly wasmUrl: string;
}

/** Has a page ready to read: both workers run, and their WebAssembly is there once a first picture has been read. */
export async function openComparison(page: Page, places: ContestPlaces): Promise<void> {
  await page.evaluate((at) => {
    const ours = new Worker(at.workerUrl, { type: "module" });
    const alone = new Worker(at.aloneUrl, { type: "module" });
    const answered = (worker: Worker): Promise<string | undefined> =>
      new Promise((done, failed) => {
        worker.onmessage = ({ data }: MessageEvent<ScanReply | { readonly text?: string }>) =>
          done("texts" in data ? data.texts[0] : data.text);
        worker.onerror = ({ message }) => failed(new Error(message));
      });
    const ask = (contestant: Decoder, picture: ImageBitmap): Promise<string | undefined> => {
      const isOurs = contestant === "picture" || contestant === "camera";
      const worker = isOurs ? ours : alone;
      const effort = contestant === "camera" ? "frame" : "file";
      const request: ScanRequest | AloneRequest = isOurs
        ? { id: 0, picture, effort, wanted: "" }
        : { by: contestant, picture, wasmUrl: at.wasmUrl };
      const answer = answered(worker);
      worker.postMessage(request, [picture]);
      return answer;
    };
    Object.assign(globalThis, { askContestant: ask });
  }, places);
}

declare global {
  var askContestant: (contestant: Decoder, picture: ImageBitmap) => Promise<string | undefined>;
}

/** Gives each contestant the picture that the bench serves at an address; the camera so many frames of it at most. */
export function readByEach(
  page: Page,
  picture: { readonly url: string; readonly width: number; readonly height: number },
  contestants: readonly Decoder[],
  mostFrames: number,
): Promise<readonly Reading[]> {
  return page.evaluate(
    async ({ url, width, height, all, most }) => {
      const bytes = new Uint8ClampedArray(await (await fetch(url)).arrayBuffer());
      const pixels = new ImageData(bytes, width, height);
      const readings: Reading[] = [];
      for (const contestant of all) {
        const frames = contestant === "camera" ? most : 1;
        let [text, taken, ms]: [string | undefined, number, number] = [undefined, 0, 0];
        while (text === undefined && taken < frames) {
          const bitmap = await createImageBitmap(pixels);
          const startedAt = performance.now();
          text = await askContestant(contestant, bitmap);
          ms += performance.now() - startedAt;
          taken++;
        }
        readings.push({ text, ms, frames: taken });
      }
      return readings;
    },
    { ...picture, all: contestants, most: mostFrames },
  );
}
