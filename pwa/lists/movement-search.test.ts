import { expect, onTestFinished, test } from "vitest";
import type { Movement } from "../../src/contract/broker/broker.ts";
import { useNotationOf } from "../format/money-format.ts";
import { everything, filterMovements, kindsOf, monthsOf } from "./movement-search.ts";

function movement(change: Partial<Movement>): Movement {
  return {
    id: crypto.randomUUID(),
    reference: "7K3M9QXT2V4FW",
    kind: "qr",
    status: "approved",
    direction: "sent",
    counterparty: "Café La Candelaria",
    counterparty_id: "01890a5d-ac96-774b-bcce-b302099a8058",
    amount: 25_000,
    currency: "COP",
    created_at: new Date(2026, 2, 31, 9).toISOString(),
    ...change,
  };
}

const coffee = movement({ note: "Mesa 4, propina", merchant: "Mi Tienda" });
const phone = movement({
  kind: "recharge",
  direction: "received",
  counterparty: "Óscar Muñoz",
  reference: "0AB1C2D3E4F5G",
  amount: 1_200.5,
  created_at: new Date(2026, 1, 1, 9).toISOString(),
});
const all = [coffee, phone];

const finds = (text: string): readonly Movement[] => filterMovements(all, { ...everything, text });

test.each([
  ["cafe", coffee],
  ["CANDELARIA la", coffee],
  ["MUNOZ", phone],
  ["propina", coffee],
  ["mi tienda", coffee],
  ["7k3m-9qxt", coffee],
  ["oabi-c2", phone],
  ["25.000", coffee],
  ["$ 25.000", coffee],
  ["25000", coffee],
  ["1.200,5", phone],
  ["1.200,50", phone],
  ["25.000,", coffee],
  ["oscar 1200", phone],
])("“%s” finds by name, merchant, note, reference or amount, without accents", (text, expected) => {
  expect(finds(text)).toEqual([expected]);
});

test("an amount is found as the person's own language writes it", () => {
  onTestFinished(() => useNotationOf("es"));
  useNotationOf("en");
  expect([finds("COP 25,000"), finds("1,200.50"), finds("25.000")]).toEqual([[coffee], [phone], []]);
});

test("a few signs that happen to stand in a reference find nothing", () => {
  expect([finds("7k3"), finds("7k3m")]).toEqual([[], [coffee]]);
});

test("every word has to be found, and what nobody has finds nothing", () => {
  expect([finds("cafe oscar"), finds("zzz"), finds("26000")]).toEqual([[], [], []]);
  expect(finds("   ")).toEqual(all);
});

test("direction, kind and month narrow the list, together with the text", () => {
  expect(filterMovements(all, { ...everything, direction: "received" })).toEqual([phone]);
  expect(filterMovements(all, { ...everything, kind: "qr" })).toEqual([coffee]);
  expect(filterMovements(all, { ...everything, month: "2026-02" })).toEqual([phone]);
  expect(filterMovements(all, { ...everything, month: "2026-02", text: "cafe" })).toEqual([]);
});

test("months and kinds to choose from are those of the list, newest first", () => {
  expect([monthsOf(all), kindsOf(all)]).toEqual([
    ["2026-03", "2026-02"],
    ["qr", "recharge"],
  ]);
});
