import fc from "fast-check";
import jsQR from "jsqr";
import { describe, expect, test } from "vitest";
import { qrMatrix, qrSvg } from "./qr-matrix.ts";
import { type QrMatrix, QUIET_ZONE, qrPath } from "./qr-path.ts";

const LONGEST = "0002010102".padEnd(331, "x1Y.");
const anyPayload = fc.stringMatching(/^[\x20-\x7e]{1,331}$/);

function rowsOf(matrix: QrMatrix): string[] {
  const indexes = Array.from({ length: matrix.size }, (_, index) => index);
  return indexes.map((row) => indexes.map((column) => (matrix.isDark(row, column) ? "#" : ".")).join(""));
}

/** Paints a path of rectangles on a grid of single characters, as a browser would fill it. */
function paintPath(path: string, size: number): string[] {
  const grid = Array.from({ length: size }, () => new Array<string>(size).fill("."));
  const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)];
  expect(runs.map(([run]) => run).join("")).toBe(path);
  for (const [, column, row, length, back] of runs) {
    expect(back).toBe(length);
    grid[Number(row)]?.fill("#", Number(column), Number(column) + Number(length));
  }
  return grid.map((line) => line.join(""));
}

function decode(rows: string[], scale: number): string | undefined {
  const width = (rows.length + 2 * QUIET_ZONE) * scale;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (let y = 0; y < width; y++) {
    for (let x = 0; x < width; x++) {
      const row = rows[Math.floor(y / scale) - QUIET_ZONE];
      if (row?.[Math.floor(x / scale) - QUIET_ZONE] === "#")
        pixels.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  }
  return jsQR(pixels, width, width, { inversionAttempts: "dontInvert" })?.data;
}

describe("drawing a payment code", () => {
  test("331 characters make version 13, 332 make 14", () => {
    expect(qrMatrix(LONGEST).size).toBe(17 + 4 * 13);
    expect(qrMatrix(`${LONGEST}x`).size).toBe(17 + 4 * 14);
  });

  test("digits and capitals too are written in byte mode", () => {
    // Version 1-M holds 14 bytes; in numeric mode it would hold 34 digits.
    expect(qrMatrix("1".repeat(14)).size).toBe(21);
    expect(qrMatrix("1".repeat(15)).size).toBe(25);
  });

  test("the path fills exactly the dark modules, and reads back as the payload", () => {
    fc.assert(
      fc.property(anyPayload, (payload) => {
        const matrix = qrMatrix(payload);
        const painted = paintPath(qrPath(matrix), matrix.size);
        expect(painted).toEqual(rowsOf(matrix));
        expect(decode(painted, 3)).toBe(payload);
      }),
      { numRuns: 25 },
    );
  });

  test("the image has a white plate with four modules around the code, and reads back", () => {
    const svg = qrSvg(LONGEST, { title: "Pay" });
    expect(svg).toContain('viewBox="-4 -4 77 77"');
    expect(svg).toContain('<path fill="#fff" d="M-4 -4h77v77h-77z"/>');
    const path = /<path fill="#000" d="([^"]+)"\/><\/svg>$/.exec(svg)?.[1] ?? "";
    expect(decode(paintPath(path, 69), 2)).toBe(LONGEST);
  });

  test("the title is text, whatever it says", () => {
    const svg = qrSvg("x", { title: `</title><script>"&'\u0000\ud800ñ🚚` });
    expect(svg).toContain(`<title>&lt;/title&gt;&lt;script&gt;"&amp;'\uFFFDñ🚚</title>`);
  });

  test("nothing and too much are refused", () => {
    expect(() => qrMatrix("")).toThrow(RangeError);
    expect(() => qrMatrix("x".repeat(2332))).toThrow();
  });
});
