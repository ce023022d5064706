import { crc32, inflateSync } from "node:zlib";
import jsQR from "jsqr";
import { describe, expect, test } from "vitest";
import { qrMatrix } from "../../../src/qr-matrix.ts";
import { QUIET_ZONE } from "../../../src/qr-path.ts";
import { qrPng } from "./qr-png.ts";

const LONGEST = "0002010102".padEnd(331, "x1Y.");

interface Picture {
  width: number;
  isWhite(x: number, y: number): boolean;
}

/** Reads the PNG by the specification: signature, chunks with their checksums, unfiltered one-bit lines. */
function readPng(png: Uint8Array): Picture {
  const bytes = Buffer.from(png);
  expect(bytes.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at);
    expect(bytes.readUInt32BE(end)).toBe(crc32(bytes.subarray(at + 4, end)));
    chunks.set(bytes.toString("latin1", at + 4, at + 8), bytes.subarray(at + 8, end));
    at = end + 4;
  }
  expect([...chunks.keys()]).toEqual(["IHDR", "IDAT", "IEND"]);
  const header = chunks.get("IHDR") ?? Buffer.alloc(13);
  const width = header.readUInt32BE(0);
  expect([header.readUInt32BE(4), ...header.subarray(8)]).toEqual([width, 1, 0, 0, 0, 0]);
  const lines = inflateSync(chunks.get("IDAT") ?? Buffer.alloc(0));
  const stride = 1 + Math.ceil(width / 8);
  expect(lines).toHaveLength(stride * width);
  for (let y = 0; y < width; y++) expect(lines[y * stride]).toBe(0);
  return { width, isWhite: (x, y) => (((lines[y * stride + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 1 };
}

function decode({ width, isWhite }: Picture): string | undefined {
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (let y = 0; y < width; y++) {
    for (let x = 0; x < width; x++) {
      if (!isWhite(x, y)) pixels.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  }
  return jsQR(pixels, width, width, { inversionAttempts: "dontInvert" })?.data;
}

describe("the QR as PNG", () => {
  test.each([2, 3, 5, 8])("reads back at %i pixels a module, short and long", (scale) => {
    for (const payload of ["000201", LONGEST]) expect(decode(readPng(qrPng(payload, scale)))).toBe(payload);
  });

  test("every pixel is the module that it belongs to, with four white modules around", () => {
    const matrix = qrMatrix(LONGEST);
    const picture = readPng(qrPng(LONGEST, 3));
    expect(picture.width).toBe((matrix.size + 2 * QUIET_ZONE) * 3);
    for (let y = 0; y < picture.width; y++) {
      for (let x = 0; x < picture.width; x++) {
        const [row, column] = [Math.floor(y / 3) - QUIET_ZONE, Math.floor(x / 3) - QUIET_ZONE];
        const inside = Math.min(row, column) >= 0 && Math.max(row, column) < matrix.size;
        if (picture.isWhite(x, y) === (inside && matrix.isDark(row, column))) throw new Error(`pixel ${x}, ${y}`);
      }
    }
  });

  test("eight pixels a module unless asked otherwise, in less than 2 KB", () => {
    const png = qrPng(LONGEST);
    expect(readPng(png).width).toBe(77 * 8);
    expect(png.length).toBeLessThan(2048);
  });

  test("a scale that is no whole number from 1 to 32 is refused", () => {
    for (const scale of [0, -1, 1.5, 33, Number.NaN]) expect(() => qrPng("x", scale)).toThrow(RangeError);
  });
});
