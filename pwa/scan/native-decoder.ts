import { drawnSize } from "./crops.ts";
import type { Crop, Decoder } from "./decoder.ts";

/** The part of the Shape Detection API that is used; TypeScript does not know it. */
interface BarcodeDetectorLike {
  detect(picture: ImageBitmap): Promise<readonly { readonly rawValue: string }[]>;
}

interface BarcodeDetectorClass {
  new (options: { readonly formats: readonly string[] }): BarcodeDetectorLike;
  getSupportedFormats(): Promise<readonly string[]>;
}

async function readsQr(detector: BarcodeDetectorClass): Promise<boolean> {
  try {
    return (await detector.getSupportedFormats()).includes("qr_code");
  } catch {
    // Some platforms have the class without the service behind it and throw.
    return false;
  }
}

async function detect(detector: BarcodeDetectorLike, picture: ImageBitmap, crop: Crop): Promise<readonly string[]> {
  const { width: resizeWidth, height: resizeHeight } = drawnSize(crop);
  const part = await createImageBitmap(picture, crop.left, crop.top, crop.width, crop.height, {
    resizeWidth,
    resizeHeight,
  });
  try {
    const texts = (await detector.detect(part)).map(({ rawValue }) => rawValue);
    return [...new Set(texts)].filter((text) => text !== "");
  } finally {
    part.close();
  }
}

/**
 * Creates the platform's own QR decoder (`BarcodeDetector`); undefined where there is none, or it does not claim to
 * read QR.
 */
export async function createNativeDecoder(): Promise<Decoder | undefined> {
  const platform = globalThis as { readonly BarcodeDetector?: BarcodeDetectorClass };
  const detectorClass = platform.BarcodeDetector;
  if (detectorClass === undefined || !(await readsQr(detectorClass))) return undefined;
  const detector = new detectorClass({ formats: ["qr_code"] });
  return { decode: (picture, crop) => detect(detector, picture, crop) };
}
