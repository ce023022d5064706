/** Minor units travel as text, which PostgreSQL reads as the number that it is. */
type Cell = string | number | boolean | Date | null | readonly (string | number)[];
/** A row by its columns. */
export type Row = Readonly<Record<string, Cell>>;

/** Minor units as a row carries them. */
export function digits(minor: bigint | null): string | null {
  return minor === null ? null : minor.toString();
}

/** Rows as one JSON text: one parameter, whatever their number. */
export function recordset(rows: readonly Row[]): string {
  return JSON.stringify(rows);
}
