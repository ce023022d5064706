import { setImmediate as breathe } from "node:timers/promises";
import { stringify } from "csv-stringify/sync";
import type { Statement, StatementMovement } from "./statement.ts";
import type { StatementFormat } from "./statement-format.ts";

/** Characters that could end a cell or a line for some reader, however the cell is quoted. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;
/**
 * Positions where spreadsheets begin a formula, also in full width and behind invisible characters. A semicolon begins
 * a cell where the machine's decimals have a comma, as in Colombia.
 */
const FORMULA = /(^|;)(?=[\s\p{C}]*[=+\-@＝＋－＠])/gu;
/** Lines that are written at once; other requests are served between two slices. */
const SLICE = 500;

/** Neutralises a text of anybody's, a name or a note: spreadsheets read it as one cell without a formula. */
function plain(text: string): string {
  return text.replace(BREAKS, " ").replace(FORMULA, "$1'");
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
 * Writes a statement for a spreadsheet: RFC 4180, one line for each movement, amounts as plain decimals, negative if
 * sent. It begins with U+FEFF, because Excel reads a file without it in the machine's old code page and garbles every
 * accent; everything else that reads UTF-8 skips it.
 */
export async function statementCsv({ movements }: Statement, format: StatementFormat): Promise<string> {
  const { day, time, counterparty, kind, reference, amount, currency, balance, note, id } = format.words.columns;
  const head = [day, time, counterparty, kind, reference, amount, currency, balance, note, id];
  const write = (rows: readonly (readonly (string | number)[])[], bom = false): string =>
    stringify([...rows], { bom, record_delimiter: "windows", quoted_match: /[\r\n]/ });
  const slices = [write([head], true)];
  for (let start = 0; start < movements.length; start += SLICE) {
    slices.push(write(movements.slice(start, start + SLICE).map((movement) => rowOf(movement, format))));
    await breathe();
  }
  return slices.join("");
}
