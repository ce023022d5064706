import { stringify } from "csv-stringify/sync";
import type { Statement, StatementMovement } from "./statement.ts";
import type { StatementFormat } from "./statement-format.ts";

/** What spreadsheets begin a formula with, wherever the text comes from: a name or a note of somebody else. */
const FORMULA = /^[=+\-@\t\r]/;

function plain(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

function rowOf(movement: StatementMovement, { words, ...format }: StatementFormat): readonly (string | number)[] {
  const { amount, balance_after: balance = "", created_at: at, currency, direction, kind, note = "" } = movement;
  return [
    ...[format.day(at), format.time(at), plain(movement.counterparty), words.kind[kind]],
    ...[plain(movement.reference), direction === "sent" ? -amount : amount, plain(currency), balance],
    ...[plain(note), movement.id],
  ];
}

/**
 * A statement for a spreadsheet: RFC 4180, one line for each movement, amounts as plain decimals with the sign of what
 * went. It begins with U+FEFF, because Excel reads a file without it in the machine's old code page and garbles every
 * accent; everything else that reads UTF-8 skips it.
 */
export function statementCsv({ movements }: Statement, format: StatementFormat): string {
  const { day, time, counterparty, kind, reference, amount, currency, balance, note, id } = format.words.columns;
  const head = [day, time, counterparty, kind, reference, amount, currency, balance, note, id];
  const rows = movements.map((movement) => rowOf(movement, format));
  return stringify([head, ...rows], { bom: true, record_delimiter: "windows" });
}
