import { setImmediate as breathe } from "node:timers/promises";
import { stringify } from "csv-stringify/sync";
import { periodOf } from "./read-statement.ts";
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

type Row = readonly (string | number)[];

function rowOf(movement: StatementMovement, currency: string, { words, time }: StatementFormat): Row {
  const { amount, balance_after: balance, counterparty = "", created_at: at, day, id, kind, note = "" } = movement;
  return [
    ...[day, time(at), plain(counterparty), words.kind[kind]],
    ...[plain(movement.reference), amount, plain(currency), balance, plain(note), id],
  ];
}

/** A line without an amount, which tells the balance at one end of the month. */
function balanceRow(day: string, name: string, balance: number, currency: string): Row {
  return [day, "", "", name, "", "", plain(currency), balance, "", ""];
}

/** The lines before and after the movements: the balance that the month begins with, and the one that it comes to. */
function endsOf(statement: Statement, { words }: StatementFormat): readonly [Row, Row] {
  const { closing_balance: closing, currency, final, month, movements, opening_balance: opening } = statement;
  const { fromDay, toDay } = periodOf(month);
  const last = final ? toDay : (movements.at(-1)?.day ?? fromDay);
  return [
    balanceRow(fromDay, words.opening, opening, currency),
    balanceRow(last, final ? words.closing : words.soFar, closing, currency),
  ];
}

/**
 * Writes a statement for a spreadsheet: RFC 4180, one line for each movement between those of the two balances, amounts
 * as plain decimals, negative if they took from the balance. It begins with U+FEFF, because Excel reads a file without
 * it in the machine's old code page and garbles every accent; everything else that reads UTF-8 skips it.
 */
export async function statementCsv(statement: Statement, format: StatementFormat): Promise<string> {
  const { currency, movements } = statement;
  const { columns } = format.words;
  const head = [columns.day, columns.time, columns.counterparty, columns.kind, columns.reference, columns.amount];
  head.push(columns.currency, columns.balance, columns.note, columns.id);
  const write = (rows: readonly Row[], bom = false): string =>
    stringify([...rows], { bom, record_delimiter: "windows", quoted_match: /[\r\n]/ });
  const [opening, closing] = endsOf(statement, format);
  const slices = [write([head, opening], true)];
  for (let start = 0; start < movements.length; start += SLICE) {
    slices.push(write(movements.slice(start, start + SLICE).map((movement) => rowOf(movement, currency, format))));
    await breathe();
  }
  return [...slices, write([closing])].join("");
}
