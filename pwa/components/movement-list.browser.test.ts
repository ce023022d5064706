import type { Movement } from "../../src/contract/broker/broker.ts";
import { words } from "../../src/language/es/app/start.ts";
import { afterEachPage, expectAccessible, expectEqual, expectTrue, until } from "../../widgets/shared/browser-test.ts";
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
    counterparty_id: "01890a5d-ac96-774b-bcce-b302099a8058",
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

async function aList({ masked = false, rows = movements }: { masked?: boolean; rows?: readonly Movement[] } = {}) {
  const element = document.createElement("cupo-movement-list");
  Object.assign(element, { movements: rows, words, nowMs: NOW, masked, days: true });
  document.body.append(element);
  await element.updateComplete;
  const root = element.shadowRoot as ShadowRoot;
  const text = (root.textContent ?? "").replaceAll(/\s+/g, " ");
  const days = [...root.querySelectorAll("h2")].map((heading) => heading.textContent?.trim() ?? "");
  return { element, root, text, days, drawn: () => root.querySelectorAll(".row").length };
}

function amountOf(root: ShadowRoot, id: string): Element | null {
  return root.querySelector(`[href="/receipt#${id}"] .amount`);
}

function leftOf(text: Text, index: number): number {
  const range = document.createRange();
  range.setStart(text, index);
  range.setEnd(text, index + 1);
  return range.getBoundingClientRect().left;
}

describe("<cupo-movement-list>", () => {
  afterEach(() => {
    afterEachPage();
    document.documentElement.removeAttribute("dir");
    scrollTo(0, 0);
  });

  it("names the merchant of a payment before its user, and the person's own nickname before both", async () => {
    const rows = [
      movement(2, { merchant: "Mi Tienda" }),
      { ...movement(1, { merchant: "Mi Tienda" }), nickname: "Mi café" },
    ];
    const { root } = await aList({ rows });
    const names = [...root.querySelectorAll(".name")].map((name) => name.textContent?.trim());
    expectEqual(names, ["Mi Tienda Tienda Lola", "Mi café Tienda Lola"]);
  });

  it("groups movements by day, today and yesterday by name", async () => {
    expectEqual((await aList()).days, ["hoy", "ayer"]);
  });

  it("each row says who, what, when and how much, and leads to its receipt", async () => {
    const { root, text } = await aList();
    const rows = [...root.querySelectorAll<HTMLAnchorElement>(".row")].map((row) => row.pathname + row.hash);
    expectEqual(
      rows,
      movements.map(({ id }) => `/receipt#${id}`),
    );
    for (const shown of ["Tienda Lola", "Pago con QR · 9:03 a. m.", "+$ 77.123", "No se pagó · 9:02 a. m."]) {
      expectTrue(text.includes(shown), `${shown} is not in ${text}`);
    }
  });

  it("keeps an amount in its order where the page runs from right to left", async () => {
    document.documentElement.dir = "rtl";
    const [sent, received] = [movement(2), movement(1, { direction: "received" })];
    const { root } = await aList({ rows: [sent, received] });
    for (const { id } of [sent, received]) {
      const nodes = amountOf(root, id)?.querySelector("bdi")?.childNodes ?? [];
      const texts = [...nodes].filter((node) => node instanceof Text);
      const lefts = texts.flatMap((text) => [...text.data].map((_, index) => leftOf(text, index)));
      expectTrue(lefts.length > "$ 77.123".length, lefts);
      expectEqual(
        lefts,
        lefts.toSorted((one, other) => one - other),
      );
    }
  });

  it("money that did not stay is struck through and never green; what was given back in part says so", async () => {
    const [whole, part, arrived] = [
      movement(5, { direction: "received", status: "reversed", reversed_amount: 77_123 }),
      movement(4, { direction: "received", reversed_amount: 7_000 }),
      movement(3, { direction: "received" }),
    ];
    const { root, text } = await aList({ rows: [whole, part, arrived] });
    expectEqual(
      [whole, part, arrived].map(({ id }) => amountOf(root, id)?.className),
      ["amount struck", "amount good", "amount good"],
    );
    for (const shown of ["Devuelto · 9:05 a. m.", "Devuelto en parte · 9:04 a. m.", "Pago con QR · 9:03 a. m."]) {
      expectTrue(text.includes(shown), `${shown} is not in ${text}`);
    }
  });

  it("the amount stands on the first line of the name, however long that is", async () => {
    const { root } = await aList({
      rows: [movement(1, { counterparty: "Panadería San José de la Montaña y Compañía" })],
    });
    document.body.style.width = "320px";
    const [name, amount] = [".name", ".amount"].map((part) => root.querySelector(part)?.getBoundingClientRect());
    document.body.style.width = "";
    expectTrue(Math.abs((name?.top ?? 0) - (amount?.top ?? 99)) < 2, [name?.top, amount?.top]);
  });

  it("says no amount at all while amounts are hidden", async () => {
    const { text } = await aList({ masked: true });
    expectTrue(!/\d{2}\.\d{3}/.test(text), text);
  });

  it("of ten thousand rows a few screens' worth are in the document, wherever one scrolls to", async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) =>
      movement(index, { created_at: new Date(NOW - index * 3_600_000).toISOString() }),
    );
    const { element, root, drawn } = await aList({ rows });
    expectTrue(drawn() > 0 && drawn() < 300, drawn());
    for (const share of [0.3, 0.9, 1, 0]) {
      scrollTo(0, document.documentElement.scrollHeight * share);
      const isShown = (): boolean => root.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest("li, h2") != null;
      await until(isShown, `rows at ${share}`);
      expectTrue(drawn() < 300, drawn());
      const sticky = [...root.querySelectorAll("h2")].filter((day) => getComputedStyle(day).position === "sticky");
      expectTrue(sticky.length > 0 && sticky.length < 30, sticky.length);
    }
    // Hiding the amounts renders only the rows that are in the document.
    element.masked = true;
    await element.updateComplete;
    expectTrue(drawn() < 300 && !/\d{2}\.\d{3}/.test(root.textContent ?? ""), drawn());
  });

  it("a row that has the focus stays when it is scrolled away", async () => {
    const rows = Array.from({ length: 500 }, (_, index) =>
      movement(index, { created_at: new Date(NOW - index * 3_600_000).toISOString() }),
    );
    const { root, drawn } = await aList({ rows });
    const first = root.querySelector<HTMLElement>(".row");
    first?.focus();
    scrollTo(0, document.documentElement.scrollHeight);
    await until(() => root.querySelector(`[href="/receipt#${rows.at(-1)?.id}"]`) !== null, "the last row");
    expectTrue(root.activeElement === first && drawn() < 300, drawn());
  });

  it("axe finds nothing", async () => {
    const { element } = await aList();
    await expectAccessible(element);
  });
});
