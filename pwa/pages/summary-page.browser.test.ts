import { NoAnswerError } from "../../src/client.ts";
import type { Movement } from "../../src/contract/broker/broker.ts";
import { expectNoFault, inAppColours, openPage, shows } from "../../test/support/open-app-page.ts";
import { afterEachPage, expectEqual, expectTrue, until } from "../../widgets/shared/browser-test.ts";
import type { Page } from "../context/page.ts";
import "./summary-page.ts";

inAppColours();

function payee(number: number, total: number) {
  const payee_id = `01890a5d-ac96-774b-bcce-${String(number).padStart(12, "0")}`;
  return { payee_id, payee: `Tienda ${number}`, total, payments: number, last_at: "2026-03-31T14:05:00.000Z" };
}

/** A summary of two pages. */
const pages = async ({ query }: { query: { cursor?: string } }) =>
  query.cursor === undefined
    ? { body: [payee(1, 0.1), payee(2, 900)], nextCursor: "c2" }
    : { body: [payee(2, 900), payee(3, 1_000.2)], nextCursor: undefined };

/** The texts of a table's cells, without what stands below the names. */
function cells(page: Page): string[][] {
  const own = (cell: Element): string =>
    [...cell.childNodes].map((node) => (/text|BDI/.test(node.nodeName) ? node.textContent?.trim() : "")).join("");
  return [...(page.shadowRoot?.querySelectorAll("tr") ?? [])].map((row) => [...row.children].map(own));
}

function choose(select: HTMLSelectElement | null | undefined, value: string): void {
  if (!select) throw new Error("there is no choice");
  select.value = value;
  select.dispatchEvent(new Event("change"));
}

describe("the summary", () => {
  it("has the same figures as bars and as a table, the largest first, and exact sums, page by page", async () => {
    const { page, text } = await openPage("cupo-summary-page", { api: { mySummary: pages } });
    shows(text(), "900,10");
    page.shadowRoot?.querySelector<HTMLElement>(".more")?.click();
    await until(() => text().includes("Tienda 3"), "the second page");
    const names = [...(page.shadowRoot?.querySelectorAll(".chart .name") ?? [])].map(({ textContent }) => textContent);
    expectEqual(names, ["Tienda 3", "Tienda 2", "Tienda 1"]);
    const widths = [...(page.shadowRoot?.querySelectorAll(".chart .bar") ?? [])].map((it) => it.getAttribute("width"));
    expectEqual([widths[0], widths[2]], ["100%", "1%"]);
    const figures = cells(page).map(([name = "", , total = ""]) => [name, total.replaceAll("\u00a0", " ")]);
    expectEqual(figures.slice(1), [
      ["Tienda 3", "$ 1.000,20"],
      ["Tienda 2", "$ 900"],
      ["Tienda 1", "$ 0,10"],
      ["Total", "$ 1.900,30"],
    ]);
    expectEqual(page.shadowRoot?.querySelector(".more"), null);
  });

  it("has the months of the payments on the device, and says that one is partial while older ones come", async () => {
    const payment = (month: string, amount: number): Movement => ({
      ...{ id: crypto.randomUUID(), reference: "7K3M9QXT2V4FW", kind: "qr", status: "approved", direction: "sent" },
      ...{ counterparty: "Tienda 1", counterparty_id: payee(1, 0).payee_id, currency: "COP", amount },
      created_at: `${month}-15T17:00:00.000Z`,
    });
    const movements = [payment("2026-03", 700), payment("2026-02", 450)];
    const store = { isLoaded: true, isComplete: false, movements: async () => movements };
    const { page, text } = await openPage("cupo-summary-page", { api: { mySummary: pages }, store });
    const months = (within: ParentNode | null | undefined) => within?.querySelector("select");
    await until(() => months(page.shadowRoot)?.options.length === 3, "the months");
    expectTrue(!text().includes("Cargando movimientos anteriores"), text());
    choose(months(page.shadowRoot), "2026-02");
    await until(() => text().includes("$ 450"), "the sum of February");
    expectTrue(!text().includes("700"), text());
    shows(text(), "Cargando movimientos anteriores");
    const statement = months(page.shadowRoot?.querySelector("cupo-statement-card")?.shadowRoot);
    expectEqual(statement?.value, "2026-02");
    choose(statement, "2026-01");
    expectEqual(page.choices, { month: "2026-02", statementMonth: "2026-01", pages: 1 });
  });

  it("shows as many pages, and the same months, where the person comes back to it", async () => {
    const left = await openPage("cupo-summary-page", { api: { mySummary: pages } });
    left.page.shadowRoot?.querySelector<HTMLElement>(".more")?.click();
    await until(() => left.text().includes("Tienda 3"), "the second page");
    expectEqual(left.page.choices, { month: "", statementMonth: "", pages: 2 });
    afterEachPage();
    const choices = { month: "", statementMonth: "2026-01", pages: 2 };
    const back = await openPage("cupo-summary-page", { api: { mySummary: pages }, choices });
    await until(() => back.text().includes("Tienda 3"), "the second page");
    const card = back.page.shadowRoot?.querySelector("cupo-statement-card");
    expectEqual(card?.shadowRoot?.querySelector("select")?.value, "2026-01");
  });

  it("hides figures, and the bars that would tell them, while amounts are hidden", async () => {
    const { page, text } = await openPage("cupo-summary-page", { api: { mySummary: pages }, masked: true });
    expectTrue(!/900|0,10/.test(text()), text());
    const widths = [...(page.shadowRoot?.querySelectorAll(".bar") ?? [])].map((it) => it.getAttribute("width"));
    expectEqual(widths, ["0%", "0%"]);
  });

  it("says so where nothing was paid yet, and where nobody answers", async () => {
    const empty = async () => ({ body: [], nextCursor: undefined });
    shows((await openPage("cupo-summary-page", { api: { mySummary: empty } })).text(), "Aún no le has pagado a nadie");
    afterEachPage();
    const away = async () => Promise.reject(new NoAnswerError("no answer"));
    shows(
      (await openPage("cupo-summary-page", { api: { mySummary: away } })).text(),
      "Sin conexión",
      "Intentar de nuevo",
    );
  });

  it("says that a month is still being closed, and not that nobody answers", async () => {
    const { page } = await openPage("cupo-summary-page", { api: { mySummary: pages } });
    const card = page.shadowRoot?.querySelector("cupo-statement-card")?.shadowRoot;
    const said = async (): Promise<string> => {
      card?.querySelector<HTMLButtonElement>("button")?.click();
      await until(() => card?.querySelector("[role=alert]") !== null, "a failure");
      return card?.querySelector("[role=alert]")?.textContent ?? "";
    };
    const { fetch } = globalThis;
    const answers = (code: string) => async () => Response.json({ code }, { status: 503 });
    try {
      globalThis.fetch = answers("month_not_closed");
      expectEqual(await said(), "Este mes se está cerrando. Pide su extracto en unos minutos.");
      globalThis.fetch = answers("unavailable");
      card?.querySelector("select")?.dispatchEvent(new Event("change"));
      await until(() => card?.querySelector("[role=alert]") === null, "the next attempt");
      expectTrue((await said()).startsWith("El servicio no responde."), "the service");
    } finally {
      globalThis.fetch = fetch;
    }
  });

  it("axe finds nothing, light or dark, the statement's card included", async () => {
    await expectNoFault("cupo-summary-page", { api: { mySummary: pages } });
  });
});
