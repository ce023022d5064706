import { describe, expect, it } from "vitest";
import type { Language } from "../../../../src/language/languages.ts";
import { statementWords } from "../../../../src/language/tables/server.ts";
import { readPdfText } from "../../../../test/support/read-pdf-text.ts";
import type { Statement } from "./statement.ts";
import { statementFormat } from "./statement-format.ts";
import { statementPdf } from "./statement-pdf.ts";

function aStatement(counterparties: readonly string[]): Statement {
  const movement = { kind: "qr", day: "2026-03-30", amount: -1_200.5, balance_after: 7_777 } as const;
  const movements = counterparties.map((counterparty, index) => ({
    ...movement,
    counterparty_id: "01890a5d-ac96-774b-bcce-b302099a8058",
    ...{ id: String(index), reference: "7K3M9QXT2V4FW", counterparty, created_at: "2026-03-31T04:59:00.000Z" },
  }));
  const balances = { opening_balance: 88_888, closing_balance: 55_555, money_in: 0, money_out: 0 };
  const what = { month: "2026-03", name: "Ana", currency: "COP", final: true, as_of: "2026-04-01T15:00:00.000Z" };
  return { ...what, ...balances, movements };
}

async function pagesOf(counterparties: readonly string[], language: Language = "es") {
  const format = statementFormat(statementWords[language], "COP", "America/Bogota");
  return readPdfText(await statementPdf(aStatement(counterparties), format));
}

describe("a statement on paper", () => {
  it("has every movement once, and on each page its number and the heads of the columns", async () => {
    const names = Array.from({ length: 70 }, (_, index) => `Tienda ${index}`);
    const pages = await pagesOf(names, "en");
    expect(pages.length).toBe(3);
    expect(pages.flat().filter((text) => text.startsWith("Tienda"))).toEqual(names);
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(`Page ${index + 1} of 3`);
      expect(page).toContain("With");
    }
  });

  it("has both balances, what came in and went out between them, and the balance after each line", async () => {
    const page = (await pagesOf(["Tienda", "Kiosko"], "en")).flat().map((text) => text.replaceAll("\u00a0", " "));
    const [opening, closing] = [page.indexOf("Opening balance"), page.indexOf("Closing balance")];
    expect(page.slice(opening, opening + 6)).toEqual([
      ...["Opening balance", "COP 88,888", "Money in", "COP 0", "Money out", "COP 2,401"],
    ]);
    expect(page[closing + 1]).toBe("COP 55,555");
    expect(page.filter((text) => text === "COP 7,777")).toHaveLength(2);
    expect(page.filter((text) => text === "−COP 1,200.50")).toHaveLength(2);
  });

  it.each([
    ["es", "$ 88.888", "30 de mar", "Al mié, 1 abr 2026, 10:00 a. m."],
    ["en", "COP 88,888", "30 Mar", "As of Wed, 1 Apr 2026, 10:00"],
    ["pt", "COP 88.888", "30 de mar.", "Em qua., 1 de abr. de 2026, 10:00"],
  ] as const)("writes amounts, days and times as the app does in %s", async (language, opening, day, asOf) => {
    const page = (await pagesOf(["Tienda"], language)).flat().map((text) => text.replaceAll("\u00a0", " "));
    for (const text of [opening, day, asOf]) expect(page).toContain(text);
  });

  it("calls the last balance the one so far until the month is final", async () => {
    const format = statementFormat(statementWords.es, "COP", "America/Bogota");
    const [page = []] = readPdfText(await statementPdf({ ...aStatement(["Tienda"]), final: false }, format));
    expect(page).toContain("Cupo hasta ahora");
    expect(page).not.toContain("Cupo final");
  });

  it("has totals to the last cent, however large they are together", async () => {
    const statement = aStatement(["Tienda", "Tienda", "Tienda"]);
    const movements = statement.movements.map((movement) => ({ ...movement, amount: 9_999_999_999_999.99 }));
    const many = Array.from({ length: 10 }, () => movements).flat();
    const format = statementFormat(statementWords.es, "COP", "America/Bogota");
    const [page = []] = await readPdfText(await statementPdf({ ...statement, movements: many }, format));
    expect(page).toContain("$\u00a0299.999.999.999.999,70");
  });

  it("writes names in the scripts of its font, and days of the business time zone", async () => {
    const names = ["Αλέξανδρος", "Вероника", "Nguyễn Thị Hồng", "Ծովինար"];
    const [page = []] = await pagesOf(names);
    for (const name of names) expect(page).toContain(name);
    expect(page).toContain("30 de mar");
  });

  it("keeps a name that is too long within its column, and shows that there was more", async () => {
    const [page = []] = await pagesOf([
      "Panadería y Pastelería El Trigal Dorado de San Antonio y Compañía",
      "x".repeat(200),
    ]);
    expect(page).toContain("Panadería y Pastelería El Trigal");
    expect(page).toContain("Dorado de San Antonio y Compañía");
    expect(page.filter((text) => text.endsWith("…"))).toHaveLength(1);
  });

  it("says so when nothing moved", async () => {
    expect((await pagesOf([])).flat()).toContain("Este mes no hubo movimientos.");
  });
});
