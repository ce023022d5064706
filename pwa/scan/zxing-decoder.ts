import { prepareZXingModule, type ReaderOptions, readBarcodes } from "zxing-wasm/reader";
import type { PixelDecoder, Threshold } from "./decoder.ts";
import { rgbaOf } from "./grey-picture.ts";

const OPTIONS: ReaderOptions = {
  formats: ["QRCode"],
  textMode: "Plain",
  maxNumberOfSymbols: 1,
  tryHarder: true,
  tryRotate: true,
  tryInvert: true,
  tryDownscale: true,
};

const BINARIZERS: Readonly<Record<Threshold, NonNullable<ReaderOptions["binarizer"]>>> = Object.freeze({
  around: "LocalAverage",
  middle: "FixedThreshold",
  whole: "GlobalHistogram",
});

/**
 * Creates the QR decoder in WebAssembly (ZXing) from its compiled module; it reads more than the one in plain
 * JavaScript, and faster. Rejects where the module cannot be instantiated.
 */
export async function createZxingDecoder(wasm: WebAssembly.Module): Promise<PixelDecoder> {
  await instantiate(wasm);
  return {
    async read(picture, threshold) {
      const options = { ...OPTIONS, binarizer: BINARIZERS[threshold] };
      const results = await readBarcodes(rgbaOf(picture) as ImageData, options);
      return results.find(({ isValid, text }) => isValid && text !== "")?.text;
    },
  };
}

/** Instantiates the given module, so that the package fetches none itself: by default it would ask another host. */
function instantiate(wasm: WebAssembly.Module): Promise<unknown> {
  return new Promise((done, failed) => {
    const instantiateWasm = (imports: WebAssembly.Imports, ready: (instance: WebAssembly.Instance) => void): object => {
      // The package itself would wait for ever for an instance that cannot be created.
      WebAssembly.instantiate(wasm, imports).then(ready).catch(failed);
      return {};
    };
    prepareZXingModule({ overrides: { instantiateWasm }, fireImmediately: true }).then(done, failed);
  });
}
