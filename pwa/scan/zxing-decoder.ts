import { prepareZXingModule, type ReaderOptions, readBarcodes } from "zxing-wasm/reader";
import type { PixelDecoder, Threshold } from "./decoder.ts";

/** A shop's counter may show several codes; searching for as many takes a third longer than for one. */
const MOST_SYMBOLS = 8;

const OPTIONS: ReaderOptions = {
  formats: ["QRCode"],
  textMode: "Plain",
  maxNumberOfSymbols: MOST_SYMBOLS,
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
      const results = await readBarcodes(picture as ImageData, options);
      const texts = results.flatMap(({ isValid, text }) => (isValid && text !== "" ? [text] : []));
      return [...new Set(texts)];
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
