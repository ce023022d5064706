/** Cells of one line. */
export type Row = readonly string[];

/** Columns as wide as their widest cell: the first to the left, the others to the right. */
export function table(rows: readonly Row[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  "),
  );
}

/** A figure with about three digits; a dash where there is none. */
export function decimal(value: number): string {
  return !Number.isFinite(value) ? "–" : value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}
