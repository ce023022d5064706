import { qrMatrix } from "../../src/qr-matrix.ts";
import { QUIET_ZONE, qrPath } from "../../src/qr-path.ts";
import { expectEqual } from "../../widgets/shared/browser-test.ts";
import { fileCrops, frameCrop } from "./crops.ts";
import { createJsqrDecoder } from "./jsqr-decoder.ts";

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

async function readFile(drawing: Drawing): Promise<string | undefined> {
  const image = await picture(drawing);
  const decoder = createJsqrDecoder();
  for (const crop of fileCrops(image.width, image.height)) {
    const text = await decoder.decode(image, crop);
    if (text !== undefined) return text;
  }
  return undefined;
}

describe("the decoder in plain JavaScript", () => {
  it("reads the image that the service makes", async () => {
    expectEqual(await readFile({ width: 600, height: 600, scale: 8, left: 0, top: 0 }), PAYLOAD);
  });

  it("reads a code on a transparent ground", async () => {
    expectEqual(await readFile({ width: 700, height: 700, scale: 8, left: 40, top: 40, ground: "#0000" }), PAYLOAD);
  });

  it("reads a code that is turned, in the corner of a large photograph", async () => {
    const photograph = { width: 2_400, height: 1_800, scale: 9, left: 1_500, top: 700, degrees: 12, ground: "#6b5" };
    expectEqual(await readFile(photograph), PAYLOAD);
  });

  it("reads a code in the viewfinder from a frame of the camera", async () => {
    const frame = await picture({ width: 1_280, height: 720, scale: 6, left: 420, top: 140, ground: "#445" });
    expectEqual(await createJsqrDecoder().decode(frame, frameCrop(1_280, 720, 0)), PAYLOAD);
  });

  it("finds nothing where there is nothing", async () => {
    const canvas = new OffscreenCanvas(640, 480);
    canvas.getContext("2d")?.fillRect(0, 0, 10, 10);
    const frame = await createImageBitmap(canvas);
    expectEqual(await createJsqrDecoder().decode(frame, frameCrop(640, 480, 1)), undefined);
  });
});
