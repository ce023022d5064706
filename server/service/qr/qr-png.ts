import { crc32, deflateSync } from "node:zlib";
import { qrMatrix } from "../../../src/qr-matrix.ts";
import { type QrMatrix, QUIET_ZONE } from "../../../src/qr-path.ts";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const MAX_SCALE = 32;

/**
 * The QR code of a payload as a PNG of one bit a pixel, greyscale, quiet zone included; `scale` is pixels a module.
 * Written straight from the matrix, because a general encoder takes several times the time and the bytes.
 */
export function qrPng(payload: string, scale = 8): Uint8Array<ArrayBuffer> {
  if (!Number.isInteger(scale) || scale < 1 || scale > MAX_SCALE) {
    throw new RangeError(`the scale must be a whole number from 1 to ${MAX_SCALE}`);
  }
  const matrix = qrMatrix(payload);
  const width = (matrix.size + 2 * QUIET_ZONE) * scale;
  const end = chunk("IEND", new Uint8Array());
  return Buffer.concat([SIGNATURE, header(width), chunk("IDAT", deflateSync(scanlines(matrix, scale))), end]);
}

/** IHDR (PNG specification §11.2.2): width, height, bit depth 1, colour type 0, and the only methods there are. */
function header(width: number): Uint8Array {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(width, 4);
  data[8] = 1;
  return chunk("IHDR", data);
}

/** Every pixel row with its filter byte 0; a set bit is white. */
function scanlines(matrix: QrMatrix, scale: number): Uint8Array {
  const modules = matrix.size + 2 * QUIET_ZONE;
  const stride = 1 + Math.ceil((modules * scale) / 8);
  const lines = new Uint8Array(modules * scale * stride);
  for (let module = 0; module < modules; module++) {
    const line = scanline(matrix, module - QUIET_ZONE, scale, stride);
    for (let copy = 0; copy < scale; copy++) lines.set(line, (module * scale + copy) * stride);
  }
  return lines;
}

function scanline(matrix: QrMatrix, row: number, scale: number, stride: number): Uint8Array {
  const line = new Uint8Array(stride).fill(0xff, 1);
  if (row < 0 || row >= matrix.size) return line;
  for (let column = 0; column < matrix.size; column++) {
    if (!matrix.isDark(row, column)) continue;
    const start = (column + QUIET_ZONE) * scale;
    for (let pixel = start; pixel < start + scale; pixel++) {
      const index = 1 + (pixel >> 3);
      line[index] = (line[index] ?? 0) & ~(0x80 >> (pixel & 7));
    }
  }
  return line;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, "latin1");
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}
