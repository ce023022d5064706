import { expect, test } from "vitest";
import { qrMatrix } from "../../../src/qr-matrix.ts";
import { qrCode } from "./qr-code.ts";

/** Bytes that versions 1 to 40 hold in byte mode at level M (ISO/IEC 18004, table 7). */
const CAPACITIES = [
  14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666, 711, 779, 857, 911,
  997, 1059, 1125, 1190, 1264, 1370, 1452, 1538, 1628, 1722, 1809, 1911, 1989, 2099, 2213, 2331,
];

function payloadOf(length: number, seed: number): string {
  let state = seed;
  return Array.from({ length }, () => {
    state = (state * 48271) % 2147483647;
    return String.fromCharCode(32 + (state % 95));
  }).join("");
}

function rowsOf({ size, isDark }: { size: number; isDark(row: number, column: number): boolean }): string[] {
  return Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (_, column) => (isDark(row, column) ? "#" : ".")).join(""),
  );
}

test.each(CAPACITIES.map((capacity, index) => [index + 1, capacity]))(
  "version %i, full with %i bytes, is the same code as the reference encoder's, module by module",
  (version, capacity) => {
    const payload = payloadOf(capacity, version);
    const code = rowsOf(qrCode(payload));
    expect(code).toHaveLength(17 + 4 * version);
    expect(code).toEqual(rowsOf(qrMatrix(payload)));
  },
);

test("every length up to the longest payment code is the same code as the reference encoder's", () => {
  for (let length = 1; length <= 331; length++) {
    const payload = payloadOf(length, 1000 + length);
    expect(rowsOf(qrCode(payload)).join("\n"), `${length} bytes`).toBe(rowsOf(qrMatrix(payload)).join("\n"));
  }
});

test("text beyond ASCII is carried as UTF-8", () => {
  expect(rowsOf(qrCode("Café de Bogotá ☕"))).toEqual(rowsOf(qrMatrix("Café de Bogotá ☕")));
});

test("a payload that no QR code holds is refused", () => {
  expect(() => qrCode(payloadOf(2332, 1))).toThrow(RangeError);
});
