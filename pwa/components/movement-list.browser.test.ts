import type { Movement } from "../../src/contract/broker.ts";
import { afterEachPage, expectAccessible, expectEqual, expectTrue } from "../../widgets/shared/browser-test.ts";
import { words } from "../language/es.ts";
import type { MovementList } from "./movement-list.ts";
import "./movement-list.ts";

const NOW = new Date(2026, 2, 31, 14, 0).getTime();

function movement(number: number, change: Partial<Movement> = {}): Movement {
  return {
    id: `01890a5d-ac96-774b-bcce-${String(number).padStart(12, "0")}`,
    reference: "7K3M9QXT2V4FW",
    kind: "qr",
    status: "approved",
    direction: "sent",
    counterparty: "Tienda Lola",
    amount: 77_123,
    currency: "COP",
    created_at: new Date(2026, 2, 31, 9, number).toISOString(),
    balance_after: 88_456,
    ...change,
  };
}

const movements = [
  movement(3, { direction: "received" }),
  movement(2, { status: "rejected", reason: "insufficient_balance" }),
  movement(1, { status: "reversed", reversed_amount: 77_123, created_at: new Date(2026, 2, 30, 9, 0).toISOString() }),
];

async function aList(masked = false): Promise<{ element: MovementList; text: string; days: string[] }> {
  const element = document.createElement("cupo-movement-list");
  Object.assign(element, { movements, words, nowMs: NOW, masked, days: true });
  document.body.append(element);
  await element.updateComplete;
  for (const details of element.shadowRoot?.querySelectorAll("details") ?? []) details.open = true;
  const headings = [...(element.shadowRoot?.querySelectorAll("h2") ?? [])];
  const text = (element.shadowRoot?.textContent ?? "").replaceAll(/\s+/g, " ");
  return { element, text, days: headings.map((heading) => heading.textContent?.trim() ?? "") };
}

describe("<cupo-movement-list>", () => {
  afterEach(afterEachPage);

  it("groups movements by day, today and yesterday by name", async () => {
    expectEqual((await aList()).days, ["hoy", "ayer"]);
  });

  it("shows amount, reference, and why a payment was not made", async () => {
    const { text } = await aList();
    for (const shown of ["+$ 77.123", "$ 88.456", "7K3M-9QXT-2V4F-W", "Tu cupo no alcanza", "Devuelto"]) {
      expectTrue(text.includes(shown), `${shown} is not in ${text}`);
    }
  });

  it("says no amount at all while amounts are hidden", async () => {
    const { text } = await aList(true);
    expectTrue(!/\d{2}\.\d{3}/.test(text), text);
  });

  it("axe finds nothing", async () => {
    const { element } = await aList();
    await expectAccessible(element);
  });
});
