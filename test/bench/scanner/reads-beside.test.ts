import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { beforeAll, expect, test } from "vitest";
import type { GreyPicture } from "../../../pwa/scan/grey-picture.ts";
import { createJsqrDecoder } from "../../../pwa/scan/jsqr-decoder.ts";
import { type Decoders, PictureReader } from "../../../pwa/scan/read-picture.ts";
import { createZxingDecoder } from "../../../pwa/scan/zxing-decoder.ts";
import { qrMatrix } from "../../../src/qr-matrix.ts";
import { QUIET_ZONE } from "../../../src/qr-path.ts";

const GUID = "co.qp";
/** As long as a signed code with an amount. */
const OURS = `00020101021226510005${GUID}${"A7K3".repeat(64)}63048618`;

const OTHERS: Readonly<Record<string, string>> = {
  "Wi-Fi": "WIFI:T:WPA;S:Cafe La Candelaria;P:tinto1820;;",
  "a page": "https://example.com/menu?table=12",
  PIX: "00020126360014br.gov.bcb.pix0114+55119999999995204000053039865802BR5904Loja6009Sao Paulo6304ABCD",
  Nequi: "00020101021226250014co.com.nequi.qr0103abc5204581253031705802CO5906Tienda6006Bogota6304ABCD",
};

/** The corner of a code, and pixels of one of its modules. */
type Spot = readonly [left: number, top: number, scale: number];

/** Where our code lies and where the other, in a frame of the camera. */
const LAYOUTS: Readonly<Record<string, readonly [ours: Spot, other: Spot]>> = {
  "beside, left": [
    [640, 180, 5],
    [240, 240, 6],
  ],
  "beside, right": [
    [200, 180, 5],
    [760, 240, 6],
  ],
  above: [
    [480, 340, 4],
    [560, 60, 6],
  ],
  below: [
    [480, 20, 4],
    [560, 440, 6],
  ],
  "larger than ours": [
    [700, 240, 4],
    [60, 120, 12],
  ],
  "in the finder, ours beside it": [
    [20, 200, 4],
    [540, 240, 6],
  ],
  "far away, ours in the finder": [
    [420, 140, 5],
    [1_080, 540, 4],
  ],
};

let decoders: Decoders;

beforeAll(async () => {
  const file = createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
  const wasm = await createZxingDecoder(new WebAssembly.Module(readFileSync(file)));
  decoders = { wasm, script: createJsqrDecoder() };
});

function draw({ width, shades }: GreyPicture, payload: string, [left, top, scale]: Spot): void {
  const matrix = qrMatrix(payload);
  const side = matrix.size + 2 * QUIET_ZONE;
  for (let row = 0; row < side * scale; row++) {
    for (let column = 0; column < side * scale; column++) {
      const [y, x] = [Math.floor(row / scale) - QUIET_ZONE, Math.floor(column / scale) - QUIET_ZONE];
      const isInside = y >= 0 && x >= 0 && y < matrix.size && x < matrix.size;
      shades[(top + row) * width + left + column] = isInside && matrix.isDark(y, x) ? 20 : 235;
    }
  }
}

test("ours is read beside another code, from each of 28 frames and each of 28 image files", async () => {
  const missed: string[] = [];
  for (const [place, [ours, other]] of Object.entries(LAYOUTS)) {
    for (const [name, text] of Object.entries(OTHERS)) {
      const frame = { width: 1_280, height: 720, shades: new Uint8ClampedArray(1_280 * 720).fill(120) };
      draw(frame, text, other);
      draw(frame, OURS, ours);
      const reader = new PictureReader(
        () => 0,
        (found) => found.includes(GUID),
      );
      // Of one size: the others would find what this one misses.
      const file = { longest: 0, draw: () => frame };
      const texts = { frame: await reader.readFrame(frame, decoders), file: await reader.readFile(file, decoders) };
      for (const [kind, found] of Object.entries(texts)) {
        if (!found.includes(OURS)) missed.push(`${kind}: ${name} ${place}`);
      }
    }
  }
  expect(missed).toEqual([]);
});
