import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import jsqr from "jsqr";
import { beforeAll, expect, test } from "vitest";
import { readBarcodes } from "zxing-wasm/reader";
import { greyOf } from "../../../pwa/scan/grey-picture.ts";
import { createJsqrDecoder } from "../../../pwa/scan/jsqr-decoder.ts";
import { type Decoders, PictureReader } from "../../../pwa/scan/read-picture.ts";
import { createZxingDecoder } from "../../../pwa/scan/zxing-decoder.ts";
import { makePicture, type SamplePicture } from "./make-picture.ts";
import { type PictureGroup, pictureGroups } from "./picture-groups.ts";

/** A few of each group's pictures, smaller than a frame: the bench reads many, in a browser, and takes minutes. */
const SIZE = [720, 680] as const;
const OF = 12;
const INDEXES = [6, 9];

let decoders: Decoders;
const totals = { ours: 0, better: 0 };

beforeAll(async () => {
  const file = createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
  decoders = {
    wasm: await createZxingDecoder(new WebAssembly.Module(readFileSync(file))),
    script: createJsqrDecoder(),
  };
});

async function readByEach(picture: SamplePicture): Promise<Record<"ours" | "zxing" | "jsqr", string | undefined>> {
  const { width, height, data } = picture;
  const [zxing] = await readBarcodes({ width, height, data } as ImageData, { formats: ["QRCode"] });
  return {
    // The clock stands still, so that a busy machine changes nothing.
    ours: (await new PictureReader(() => 0).readFile({ longest: 0, draw: () => greyOf(picture) }, decoders))[0],
    zxing: zxing?.text,
    jsqr: jsqr(data, width, height)?.data,
  };
}

test.each(Object.keys(pictureGroups) as PictureGroup[])(
  "%s: we read what either decoder reads alone",
  async (group) => {
    const read = { ours: 0, zxing: 0, jsqr: 0 };
    for (const index of INDEXES) {
      const picture = await makePicture({ group, index, count: OF, size: SIZE });
      const texts = await readByEach(picture);
      for (const name of ["ours", "zxing", "jsqr"] as const) read[name] += Number(texts[name] === picture.payload);
      expect([undefined, picture.payload]).toContain(texts.ours);
    }
    totals.ours += read.ours;
    totals.better += Math.max(read.zxing, read.jsqr);
    expect(read.ours).toBeGreaterThanOrEqual(Math.max(read.zxing, read.jsqr));
  },
);

test("over all groups we read more", () => {
  expect(totals.ours).toBeGreaterThan(totals.better);
});
