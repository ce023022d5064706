import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { setImmediate as breathe } from "node:timers/promises";
import PDFDocument from "pdfkit";
import { formatAmount } from "../../../../src/money.ts";
import type { Statement, StatementMovement } from "./statement.ts";
import type { StatementFormat } from "./statement-format.ts";
import { totalsOf } from "./totals-of.ts";

type Document = PDFKit.PDFDocument;

/** The light colours of the app: paper is white. */
const [INK, SOFT, LINE, BRAND] = ["#12201c", "#52635d", "#dfe3dd", "#0b6e5f"];
const [REGULAR, BOLD] = ["regular", "bold"];
const MARGIN = 48;
const RIGHT = 595.28 - MARGIN;
const BOTTOM = 841.89 - 64;
const [ROW, TWO_LINE_ROW] = [22, 33];
const LEADING = 11;
const TEXT = 8.5;
const TOTAL = 15;
/** Where each column of the table begins; an amount ends where its column does, and balances at the right margin. */
const COLUMNS = Object.freeze({ day: MARGIN, counterparty: 90, kind: 233, reference: 332, amount: 409, balance: 475 });
const GAP = 3;
const NAME_WIDTH = 140;

/** Cupo's mark on a grid of 96, as everywhere. */
const MARK =
  "M32 8h32a24 24 0 0 1 24 24v7a9 9 0 0 0 0 18v7a24 24 0 0 1-24 24H32A24 24 0 0 1 8 64V32A24 24 0 0 1 32 8z" +
  "m4 16a12 12 0 0 0-12 12v24a12 12 0 0 0 12 12h24a12 12 0 0 0 12-12V36a12 12 0 0 0-12-12z";

/** The most decimals of any deployment's currency. */
const DECIMALS = 2;

/** Condensed, because names and references share a line; the same scripts as the wide cut. */
async function fonts(): Promise<readonly Buffer[]> {
  const require = createRequire(import.meta.url);
  const files = [
    require.resolve("dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf"),
    require.resolve("dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf"),
  ];
  return Promise.all(files.map((file) => readFile(file)));
}

/** Scripts that run from right to left: such a text must be laid out whole, or its words come in the wrong order. */
const LEFTWARD = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Nko}]/u;

function write(doc: Document, text: string, x: number, y: number, align: "left" | "right" = "left"): void {
  const left = align === "left" ? x : x - doc.widthOfString(text);
  doc.text(text, left, y, { lineBreak: false, ...(LEFTWARD.test(text) ? { features: [] } : {}) });
}

/** Writes a text that ends at `right`, smaller where it would not fit the width: no digit of an amount is ever cut. */
function writeWithin(doc: Document, text: string, right: number, y: number, width: number, size: number): void {
  const needed = doc.fontSize(size).widthOfString(text);
  if (needed > width) doc.fontSize((size * width) / needed);
  write(doc, text, right, y, "right");
  doc.fontSize(size);
}

/** Returns the longest beginning of a text that fits the width, whole characters only. */
function beginning(doc: Document, text: string, width: number): string {
  const characters = Array.from(text);
  let [fits, count] = [0, characters.length];
  while (fits < count) {
    const middle = Math.ceil((fits + count) / 2);
    if (doc.widthOfString(characters.slice(0, middle).join("")) <= width) fits = middle;
    else count = middle - 1;
  }
  return characters.slice(0, fits).join("");
}

/** Breaks a name into one line or two, between words where there are any; a longer one ends in an ellipsis. */
function linesOf(doc: Document, text: string): readonly string[] {
  if (doc.widthOfString(text) <= NAME_WIDTH) return [text];
  const whole = beginning(doc, text, NAME_WIDTH);
  const space = whole.lastIndexOf(" ");
  const first = space > 0 ? whole.slice(0, space) : whole;
  const rest = text.slice(first.length).trimStart();
  if (doc.widthOfString(rest) <= NAME_WIDTH) return [first, rest];
  return [first, `${beginning(doc, rest, NAME_WIDTH - doc.widthOfString("…"))}…`];
}

function rule(doc: Document, y: number): void {
  doc.moveTo(MARGIN, y).lineTo(RIGHT, y).lineWidth(0.5).strokeColor(LINE).stroke();
}

/** Draws the table's head, on every page anew; returns where its first row begins. */
function drawTableHead(doc: Document, { words }: StatementFormat, y: number): number {
  const { day, counterparty, kind, reference, amount, balance } = words.columns;
  doc.font(BOLD).fontSize(7.5).fillColor(SOFT);
  write(doc, day, COLUMNS.day, y);
  write(doc, counterparty, COLUMNS.counterparty, y);
  write(doc, kind, COLUMNS.kind, y);
  write(doc, reference, COLUMNS.reference, y);
  write(doc, amount, COLUMNS.balance - GAP, y, "right");
  write(doc, balance, RIGHT, y, "right");
  rule(doc, y + 14);
  return y + 14;
}

/** Draws the balances and totals side by side, each with its name above it. */
function drawTotals(doc: Document, totals: readonly (readonly [string, string])[], y: number): void {
  const step = (RIGHT - MARGIN) / totals.length;
  for (const [index, [name, sum]] of totals.entries()) {
    const x = MARGIN + index * step;
    doc.font(REGULAR).fontSize(TEXT).fillColor(SOFT);
    write(doc, name, x, y);
    doc.font(BOLD).fontSize(TOTAL).fillColor(INK);
    const width = Math.min(doc.widthOfString(sum), step - GAP);
    writeWithin(doc, sum, x + width, y + 13, width, TOTAL);
  }
}

/** The balances at both ends of the month and what lies between them, as they are written. */
function totalsFor(statement: Statement, { money, words }: StatementFormat): [string, string][] {
  const { closing_balance: closing, final, movements, opening_balance: opening } = statement;
  const { moneyIn, moneyOut } = totalsOf(movements, DECIMALS);
  return [
    [words.opening, money(opening)],
    [words.moneyIn, money(formatAmount(moneyIn, DECIMALS))],
    [words.moneyOut, money(formatAmount(moneyOut, DECIMALS))],
    [final ? words.closing : words.soFar, money(closing)],
  ];
}

/** Draws the mark, the name, the month and its totals; returns where the table begins. */
function drawTop(doc: Document, statement: Statement, format: StatementFormat): number {
  const { words } = format;
  const { as_of: asOf, month, movements, name } = statement;
  doc.save().translate(MARGIN, 46).scale(0.3).translate(-8, -8);
  doc.path(MARK).fill(BRAND, "even-odd").roundedRect(38, 38, 20, 20, 6).fill(BRAND).restore();
  doc.font(BOLD).fontSize(15).fillColor(INK);
  write(doc, "Cupo", MARGIN + 32, 49);
  doc.font(REGULAR).fontSize(TEXT).fillColor(SOFT);
  write(doc, words.title, RIGHT, 48, "right");
  write(doc, words.asOf(format.exact(asOf)), RIGHT, 60, "right");
  doc.font(BOLD).fontSize(22).fillColor(INK);
  doc.text(name, MARGIN, 96, { width: RIGHT - MARGIN, height: 56, ellipsis: true });
  doc.font(REGULAR).fontSize(13).fillColor(SOFT);
  const under = doc.y + 2;
  write(doc, `${format.month(month)} · ${words.movements(movements.length)}`, MARGIN, under);
  const totals = under + 34;
  drawTotals(doc, totalsFor(statement, format), totals);
  return totals + 56;
}

function drawRow(
  doc: Document,
  movement: StatementMovement,
  format: StatementFormat,
  place: { readonly y: number; readonly lines: readonly string[] },
): void {
  const { amount, balance_after: balance, day, kind, reference } = movement;
  const y = place.y + 6;
  doc.fillColor(INK);
  for (const [index, line] of place.lines.entries()) write(doc, line, COLUMNS.counterparty, y + index * LEADING);
  const width = COLUMNS.balance - COLUMNS.amount - GAP;
  writeWithin(doc, format.signedMoney(amount), COLUMNS.balance - GAP, y, width, TEXT);
  doc.fillColor(SOFT);
  writeWithin(doc, format.money(balance), RIGHT, y, RIGHT - COLUMNS.balance, TEXT);
  write(doc, format.day(day), COLUMNS.day, y);
  write(doc, format.words.kind[kind], COLUMNS.kind, y);
  write(doc, format.reference(reference), COLUMNS.reference, y);
}

async function drawTable(doc: Document, { movements }: Statement, format: StatementFormat, top: number): Promise<void> {
  let y = drawTableHead(doc, format, top);
  doc.font(REGULAR).fontSize(TEXT);
  if (movements.length === 0) write(doc.fillColor(SOFT), format.words.none, MARGIN, y + 12);
  for (const movement of movements) {
    const lines = linesOf(doc, movement.counterparty ?? "");
    const height = lines.length > 1 ? TWO_LINE_ROW : ROW;
    if (y + height > BOTTOM) {
      doc.addPage();
      // Other requests are served between two pages.
      await breathe();
      y = drawTableHead(doc, format, MARGIN);
      doc.font(REGULAR).fontSize(TEXT);
    }
    drawRow(doc, movement, format, { y, lines });
    y += height;
    rule(doc, y);
  }
}

function drawFeet(doc: Document, { name, month }: Statement, format: StatementFormat): void {
  const { count } = doc.bufferedPageRange();
  for (let index = 0; index < count; index++) {
    doc.switchToPage(index);
    doc.font(REGULAR).fontSize(7.5).fillColor(SOFT);
    const place = format.words.page(index + 1, count);
    const whose = `${name} · ${format.month(month)}`;
    write(doc, beginning(doc, whose, RIGHT - MARGIN - doc.widthOfString(place) - 24), MARGIN, BOTTOM + 20);
    write(doc, place, RIGHT, BOTTOM + 20, "right");
  }
}

/**
 * Draws a statement as a PDF on A4, with its fonts inside, so that names of every script that they have look alike
 * anywhere.
 */
export async function statementPdf(statement: Statement, format: StatementFormat): Promise<Uint8Array> {
  const [regular, bold] = (await fonts()) as [Buffer, Buffer];
  const { words } = format;
  const doc = new PDFDocument({
    size: "A4",
    // With a bottom margin the footer would begin a page of its own.
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: 0 },
    bufferPages: true,
    font: regular as unknown as string,
    lang: words.tag,
    displayTitle: true,
    info: {
      Title: `${words.title}, ${format.month(statement.month)}`,
      Author: "Cupo",
      CreationDate: new Date(statement.as_of),
    },
  });
  doc.registerFont(REGULAR, regular).registerFont(BOLD, bold);
  const chunks: Uint8Array[] = [];
  const ended = new Promise<void>((resolve, reject) => doc.on("end", resolve).on("error", reject));
  doc.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  const top = drawTop(doc, statement, format);
  await drawTable(doc, statement, format, top);
  drawFeet(doc, statement, format);
  doc.end();
  await ended;
  return Buffer.concat(chunks);
}
