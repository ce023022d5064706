import { afterEach, expect, test } from "vitest";
import { createNativeDecoder } from "./native-decoder.ts";

const platform = globalThis as { BarcodeDetector?: unknown };

afterEach(() => {
  delete platform.BarcodeDetector;
});

test.each([
  ["has no detector", undefined],
  ["lists no format", async () => []],
  ["lists others only", async () => ["ean_13"]],
  ["throws when asked", () => Promise.reject(new DOMException("", "NotSupportedError"))],
])("there is no native decoder where the platform %s", async (_name, getSupportedFormats) => {
  if (getSupportedFormats !== undefined) platform.BarcodeDetector = { getSupportedFormats };
  expect(await createNativeDecoder()).toBeUndefined();
});

test("all codes of a picture are told, each once", async () => {
  platform.BarcodeDetector = class {
    static getSupportedFormats = async () => ["qr_code"];
    detect = async () => ["one", "", "two", "one"].map((rawValue) => ({ rawValue }));
  };
  const drawing = globalThis as { createImageBitmap?: unknown };
  drawing.createImageBitmap = async () => ({ close: () => undefined });
  try {
    const crop = { left: 0, top: 0, width: 10, height: 10, side: 10 };
    expect(await (await createNativeDecoder())?.decode({} as ImageBitmap, crop)).toEqual(["one", "two"]);
  } finally {
    delete drawing.createImageBitmap;
  }
});

test("there is one where the platform says that it reads QR codes, and it is made for them alone", async () => {
  const made: unknown[] = [];
  platform.BarcodeDetector = class {
    static getSupportedFormats = async () => ["aztec", "qr_code"];
    constructor(options: unknown) {
      made.push(options);
    }
  };
  expect(await createNativeDecoder()).toBeDefined();
  expect(made).toEqual([{ formats: ["qr_code"] }]);
});
