/** Light modules around a code that ISO/IEC 18004 §6.3.8 asks for, and that scanners rely on. */
export const QUIET_ZONE = 4;

/** The modules of a QR code without its quiet zone. */
export interface QrMatrix {
  readonly size: number;
  isDark(row: number, column: number): boolean;
}

/** One SVG path of all dark modules, a rectangle for each horizontal run; one unit a module, origin at the first. */
export function qrPath(matrix: QrMatrix): string {
  const runs: string[] = [];
  for (let row = 0; row < matrix.size; row++) {
    for (let column = 0; column < matrix.size; column++) {
      if (!matrix.isDark(row, column)) continue;
      const start = column;
      while (column + 1 < matrix.size && matrix.isDark(row, column + 1)) column++;
      const length = column - start + 1;
      runs.push(`M${start} ${row}h${length}v1h-${length}z`);
    }
  }
  return runs.join("");
}
