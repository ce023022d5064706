import { qrMatrix } from "../../src/qr-matrix.ts";
import { QUIET_ZONE, qrPath } from "../../src/qr-path.ts";
import { expectEqual } from "../../widgets/shared/browser-test.ts";
import { cachedWasm } from "./cached-wasm.ts";
import { PIXEL_SIDES, whole } from "./crops.ts";
import { drawPicture } from "./draw-picture.ts";
import { createJsqrDecoder } from "./jsqr-decoder.ts";
import { type Decoders, type ImageFile, PictureReader } from "./read-picture.ts";
import { createZxingDecoder } from "./zxing-decoder.ts";

const WASM_URL = "/node_modules/zxing-wasm/dist/reader/zxing_reader.wasm";

/** As long as a signed code with an amount. */
const PAYLOAD = `00020101021226510005co.qp${"A7K3".repeat(64)}63048618`;

interface Drawing {
  readonly width: number;
  readonly height: number;
  /** Pixels of one module, and where the code's corner lies. */
  readonly scale: number;
  readonly left: number;
  readonly top: number;
  readonly degrees?: number;
  readonly ground?: string;
}

function picture({ width, height, scale, left, top, degrees = 0, ground = "#fff" }: Drawing): Promise<ImageBitmap> {
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext("2d");
  if (pen === null) throw new Error("no canvas");
  pen.fillStyle = ground;
  pen.fillRect(0, 0, width, height);
  pen.translate(left, top);
  pen.rotate((degrees * Math.PI) / 180);
  pen.scale(scale, scale);
  const matrix = qrMatrix(PAYLOAD);
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, matrix.size + 2 * QUIET_ZONE, matrix.size + 2 * QUIET_ZONE);
  pen.translate(QUIET_ZONE, QUIET_ZONE);
  pen.fillStyle = "#000";
  pen.fill(new Path2D(qrPath(matrix)));
  return createImageBitmap(canvas);
}

function drawn(image: ImageBitmap, side: keyof typeof PIXEL_SIDES) {
  return drawPicture(new OffscreenCanvas(1, 1), image, whole(image.width, image.height, PIXEL_SIDES[side]));
}

function fileOf(image: ImageBitmap): ImageFile {
  return { longest: Math.max(image.width, image.height), draw: (side) => drawn(image, side) };
}

async function readFile(drawing: Drawing, decoders: Decoders): Promise<readonly string[]> {
  const image = await picture(drawing);
  const reader = new PictureReader(() => performance.now());
  return reader.readFile(fileOf(image), decoders);
}

async function readFrames(drawing: Drawing, decoders: Decoders): Promise<readonly string[]> {
  const frame = drawn(await picture(drawing), "frame");
  const reader = new PictureReader(() => performance.now());
  const texts = await reader.readFrame(frame, decoders);
  return texts.length > 0 ? texts : reader.readFrame(frame, decoders);
}

/** A decoder that finds nothing, to see which other one reads. */
const never = { read: async () => [] };

const withScript = async (): Promise<Decoders> => ({ wasm: undefined, script: createJsqrDecoder() });
const withWasm = async (): Promise<Decoders> => ({
  wasm: await createZxingDecoder(await cachedWasm(WASM_URL)),
  script: never,
});

for (const [name, decodersOf] of Object.entries({ "plain JavaScript": withScript, WebAssembly: withWasm })) {
  describe(`reading pictures with ${name}`, () => {
    let decoders: Decoders;
    before(async () => {
      decoders = await decodersOf();
    });

    it("reads the image that the service makes", async () => {
      expectEqual(await readFile({ width: 600, height: 600, scale: 8, left: 0, top: 0 }, decoders), [PAYLOAD]);
    });

    it("reads a code on a transparent ground", async () => {
      const drawing = { width: 700, height: 700, scale: 8, left: 40, top: 40, ground: "#0000" };
      expectEqual(await readFile(drawing, decoders), [PAYLOAD]);
    });

    it("reads a code that is turned, in the corner of a large photograph", async () => {
      const photograph = { width: 2_400, height: 1_800, scale: 9, left: 1_500, top: 700, degrees: 12, ground: "#6b5" };
      expectEqual(await readFile(photograph, decoders), [PAYLOAD]);
    });

    it("reads a code in the viewfinder, and one beside it, from frames of the camera", async () => {
      const inside = { width: 1_280, height: 720, scale: 6, left: 420, top: 140, ground: "#445" };
      expectEqual(await readFrames(inside, decoders), [PAYLOAD]);
      expectEqual(await readFrames({ ...inside, left: 20, top: 40 }, decoders), [PAYLOAD]);
    });

    it("finds nothing where there is nothing", async () => {
      const canvas = new OffscreenCanvas(640, 480);
      canvas.getContext("2d")?.fillRect(0, 0, 10, 10);
      const image = await createImageBitmap(canvas);
      const reader = new PictureReader(() => performance.now());
      expectEqual(await reader.readFrame(drawn(image, "frame"), decoders), []);
      expectEqual(await reader.readFile(fileOf(image), decoders), []);
    });
  });
}

describe("the decoder's WebAssembly", () => {
  it("is fetched once and kept in a cache of its own, in the place of an earlier version's", async () => {
    await caches.delete("cupo-decoder");
    const cache = await caches.open("cupo-decoder");
    await cache.put("/assets/zxing_reader-Earlier1.wasm", new Response("earlier"));
    await cachedWasm(WASM_URL);
    const kept = (await cache.keys()).map(({ url }) => new URL(url).pathname);
    expectEqual(kept, [WASM_URL]);
    const fetching = globalThis.fetch;
    globalThis.fetch = () => Promise.reject(new TypeError("offline"));
    try {
      expectEqual((await cachedWasm(WASM_URL)) instanceof WebAssembly.Module, true);
    } finally {
      globalThis.fetch = fetching;
    }
  });

  it("that is not there is an error, and nothing is kept of it", async () => {
    const refused = await cachedWasm("/assets/nothing.wasm").then(
      () => "kept",
      (error: unknown) => String(error),
    );
    expectEqual(refused, "Error: the decoder could not be fetched: 404");
    expectEqual(await caches.match("/assets/nothing.wasm"), undefined);
  });
});
