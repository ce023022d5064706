import type { QrMatrix } from "../../../src/qr-path.ts";
import { codewordsOf, versionFor } from "./codewords.ts";
import { Grid } from "./grid.ts";
import { masks, penaltyOf } from "./mask.ts";

/** Level M in the format information (ISO/IEC 18004, table 12). */
const LEVEL_M = 0b00;
const FORMAT_POLYNOMIAL = 0b10100110111;
const FORMAT_MASK = 0b101010000010010;
const VERSION_POLYNOMIAL = 0b1111100100101;

/**
 * Encodes a payload as the same QR code that `qrMatrix` makes (byte mode, level M), in a quarter of its 8 KB: `qrcode`
 * also carries the other modes and their optimal mixture, which a payment code never uses, and with it `<pay-qr>` is
 * past its 18 KB. A test compares the two module by module for every version. Throws when the payload is longer than a
 * QR code holds.
 */
export function qrCode(payload: string): QrMatrix {
  const bytes = new TextEncoder().encode(payload);
  const version = versionFor(bytes.length);
  const grid = new Grid(17 + 4 * version);
  drawPatterns(grid, version);
  drawFormat(grid, 0);
  drawCodewords(grid, codewordsOf(bytes, version));
  applyBestMask(grid);
  return { size: grid.size, isDark: (row, column) => grid.get(row, column) === 1 };
}

function drawPatterns(grid: Grid, version: number): void {
  const last = grid.size - 1;
  for (let index = 8; index < grid.size - 8; index++) {
    grid.fix(6, index, index % 2 === 0);
    grid.fix(index, 6, index % 2 === 0);
  }
  for (const [row, column] of [
    [3, 3],
    [3, last - 3],
    [last - 3, 3],
  ] as const)
    drawSquares(grid, row, column, 4);
  const places = alignmentPlaces(grid.size, version);
  for (const row of places) {
    for (const column of places) {
      // Three of the corners belong to finders.
      if (!isFinderCorner(row, column, last)) drawSquares(grid, row, column, 2);
    }
  }
  if (version >= 7) drawVersion(grid, version);
}

/** Squares within squares around a module: a finder with its light edge (radius 4), or an alignment pattern (2). */
function drawSquares(grid: Grid, row: number, column: number, radius: 2 | 4): void {
  for (let down = -radius; down <= radius; down++) {
    for (let right = -radius; right <= radius; right++) {
      const distance = Math.max(Math.abs(down), Math.abs(right));
      grid.fix(row + down, column + right, radius === 4 ? distance !== 2 && distance !== 4 : distance !== 1);
    }
  }
}

function isFinderCorner(row: number, column: number, last: number): boolean {
  const nearTop = row === 6;
  const nearLeft = column === 6;
  return (nearTop && nearLeft) || (nearTop && column === last - 6) || (nearLeft && row === last - 6);
}

/** Rows, which are also the columns, of the centres of alignment patterns (ISO/IEC 18004, annex E). */
function alignmentPlaces(size: number, version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, index) => size - 7 - index * step)];
}

/** The remainder of `value` moved up by the degree of a polynomial over GF(2): a BCH code's check bits. */
function checkBits(value: number, polynomial: number): number {
  const degree = 31 - Math.clz32(polynomial);
  let rest = value << degree;
  while (rest >= 1 << degree) rest ^= polynomial << (31 - Math.clz32(rest) - degree);
  return rest;
}

function drawVersion(grid: Grid, version: number): void {
  const bits = (version << 12) | checkBits(version, VERSION_POLYNOMIAL);
  for (let index = 0; index < 18; index++) {
    const near = Math.floor(index / 3);
    const far = grid.size - 11 + (index % 3);
    grid.fix(near, far, (bits >> index) & 1);
    grid.fix(far, near, (bits >> index) & 1);
  }
}

/** Level and mask, twice: around the first finder, and shared between the two others. */
function drawFormat(grid: Grid, mask: number): void {
  const value = (LEVEL_M << 3) | mask;
  const bits = ((value << 10) | checkBits(value, FORMAT_POLYNOMIAL)) ^ FORMAT_MASK;
  for (let index = 0; index < 15; index++) {
    const dark = (bits >> index) & 1;
    // The timing patterns cross row and column 6.
    const near = index < 6 ? index : index + 1;
    const fromEnd = grid.size - 1 - index;
    if (index < 8) {
      grid.fix(near, 8, dark);
      grid.fix(8, fromEnd, dark);
    } else {
      grid.fix(8, index === 8 ? 7 : 14 - index, dark);
      grid.fix(grid.size - 15 + index, 8, dark);
    }
  }
  grid.fix(grid.size - 8, 8, true);
}

/** Two columns at a time from the right, upwards and downwards in turn, around the patterns. */
function drawCodewords(grid: Grid, codewords: Uint8Array): void {
  let bit = 0;
  for (let right = grid.size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    const upwards = ((right > 6 ? right : right + 1) & 2) === ((grid.size - 1) & 2);
    for (let step = 0; step < grid.size * 2; step++) {
      const row = upwards ? grid.size - 1 - (step >> 1) : step >> 1;
      const column = right - (step & 1);
      if (grid.isFixed(row, column)) continue;
      grid.set(row, column, ((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1);
      bit++;
    }
  }
}

function applyBestMask(grid: Grid): void {
  const penalties = masks.map((_, mask) => {
    drawFormat(grid, mask);
    applyMask(grid, mask);
    const penalty = penaltyOf(grid);
    // A mask applied twice is undone.
    applyMask(grid, mask);
    return penalty;
  });
  const best = penalties.indexOf(Math.min(...penalties));
  drawFormat(grid, best);
  applyMask(grid, best);
}

function applyMask(grid: Grid, mask: number): void {
  for (let row = 0; row < grid.size; row++) {
    for (let column = 0; column < grid.size; column++) {
      const inverts = !grid.isFixed(row, column) && masks[mask]?.(row, column);
      if (inverts) grid.set(row, column, 1 - grid.get(row, column));
    }
  }
}
