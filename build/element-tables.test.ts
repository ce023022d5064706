import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { elementTables, lookTable, withTable } from "./element-tables.ts";
import type { DescribedElement } from "./package/describe-elements.ts";
import { ELEMENTS_PAGE, withElementTables } from "./write-element-tables.ts";

const ELEMENT: DescribedElement = {
  ...({ kind: "class", name: "PayQr", tagName: "pay-qr", customElement: true } as const),
  members: [
    { kind: "field", name: "amount", attribute: "amount", description: "One | other." },
    { kind: "field", name: "phase", readonly: true, description: "Where it stands." },
    { kind: "method", name: "restart", description: "Begins again." },
  ],
  attributes: [{ name: "amount", fieldName: "amount" }],
  events: [{ name: "pay-paid", type: { text: "CustomEvent<PaidDetail>" }, description: "Paid." }],
  cssParts: [{ name: "card", description: "All." }],
  cssStates: [{ name: "paid", description: "It was paid." }],
  cssProperties: [{ name: "--cupo-ink", description: "Text.", default: "#000" }],
};
const EVENTS = `
export interface BaseDetail {
  readonly reference: string;
}

export interface PaidDetail extends BaseDetail {
  /** Why. */
  readonly amount: number | undefined;
}
`;

describe("the tables of an element", () => {
  it("name what it takes, tells and can be styled by, inherited fields of details too", () => {
    const text = elementTables(ELEMENT, EVENTS);
    expect(text).toContain("| `amount` | `amount` | One \\| other. |");
    expect(text).toContain("| | `phase` | Where it stands. Read only. |");
    expect(text).toContain("| `restart()` | Begins again. |");
    expect(text).toContain("| `pay-paid` | `reference` `amount` | Paid. |");
    expect(text).toContain("| `paid` | It was paid. |");
    expect(text).toContain("| `card` | All. |");
    expect(lookTable(ELEMENT)).toContain("| `--cupo-ink` | Text. | `#000` |");
  });

  it("cannot be made where a detail is not declared", () => {
    expect(() => elementTables(ELEMENT, "")).toThrow("PaidDetail");
  });

  it("are written between their markers, again and again, and nowhere else", () => {
    const text = withTable("before\n<!-- a --><!-- /a -->\nafter\n", "a", "table");
    expect(text).toBe("before\n<!-- a -->\ntable\n<!-- /a -->\nafter\n");
    expect(withTable(text, "a", "table")).toBe(text);
    expect(() => withTable("no place", "a", "table")).toThrow("<!-- a -->");
  });
});

it("the guide's page has the tables of the sources as they are: npm run elements writes them", () => {
  const page = readFileSync(ELEMENTS_PAGE, "utf8");
  expect(page).toBe(withElementTables(page));
});
