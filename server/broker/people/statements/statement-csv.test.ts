import { describe, expect, it } from "vitest";
import { statementWords } from "../../../../src/language/tables/server.ts";
import type { Statement, StatementMovement } from "./statement.ts";
import { statementCsv } from "./statement-csv.ts";
import { statementFormat } from "./statement-format.ts";

const FORMAT = statementFormat(statementWords.en, "COP", "America/Bogota");

function aStatement(changes: readonly Partial<StatementMovement>[]): Statement {
  const movements = changes.map((change, index) => ({
    ...({ kind: "qr", day: "2026-03-30", amount: -1_200.5, balance_after: 10 } as const),
    ...{ id: `id-${index}`, reference: "7K3M9QXT2V4FW", counterparty: "Ana", created_at: "2026-03-31T04:59:00.000Z" },
    ...change,
  }));
  return {
    ...{ month: "2026-03", name: "Ana", currency: "COP", final: true, money_in: 0, money_out: 0 },
    ...{ opening_balance: 5_000, closing_balance: 10, movements, as_of: "2026-04-01T15:00:00.000Z" },
  };
}

describe("a statement for a spreadsheet", () => {
  it.each([
    ["=1", "'=1"],
    ["\n=1", "' =1"],
    [" =1", "' =1"],
    ["a\r=1", "a =1"],
    ["a\n=1", "a =1"],
    ["a\u2028=1", "a =1"],
    ["\t@SUM(A1)", "' @SUM(A1)"],
    ["＝1", "'＝1"],
    ["\u200b-1", "'\u200b-1"],
    ["lunch;=1; +2", "lunch;'=1;' +2"],
    ["2 + 2 = 4", "2 + 2 = 4"],
  ])("runs nothing of the text %j, in a name or in a note, and gives it one cell", async (text, cell) => {
    const written = await statementCsv(aStatement([{ counterparty: text, note: text }]), FORMAT);
    expect(written.split(/[\r\n]+/)[2]).toBe(
      `2026-03-30,23:59:00,${cell},QR payment,7K3M9QXT2V4FW,-1200.5,COP,10,${cell},id-0`,
    );
  });

  it("has each of many movements once and in order, and lets others be served meanwhile", async () => {
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    const written = await statementCsv(aStatement(Array.from({ length: 5_001 }, () => ({}))), FORMAT);
    clearInterval(counting);
    const [head, opening, ...rest] = written.trimEnd().split("\r\n");
    const [lines, closing] = [rest.slice(0, -1), rest.at(-1)];
    expect(head?.codePointAt(0)).toBe(0xfeff);
    expect([opening, closing]).toEqual([
      "2026-03-01,,,Opening balance,,,COP,5000,,",
      "2026-03-31,,,Closing balance,,,COP,10,,",
    ]);
    expect(lines.map((line) => line.split(",").at(-1))).toEqual(lines.map((_, index) => `id-${index}`));
    expect(lines).toHaveLength(5_001);
    expect(written.lastIndexOf("\ufeff")).toBe(0);
    expect(turns).toBeGreaterThan(3);
  });

  it("calls the last balance the one so far, of the day of the last movement, until the month is final", async () => {
    const written = await statementCsv({ ...aStatement([{ day: "2026-03-12" }]), final: false }, FORMAT);
    expect(written.trimEnd().split("\r\n").at(-1)).toBe("2026-03-12,,,Balance so far,,,COP,10,,");
  });
});
