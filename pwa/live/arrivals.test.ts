import { expect, test } from "vitest";
import type { Movement } from "../../src/contract/broker/broker.ts";
import { Arrivals } from "./arrivals.ts";

const NOW = Date.parse("2026-03-31T14:05:00.000Z");

function received(number: number, changes: Partial<Movement> = {}): Movement {
  return {
    id: `01890a5d-ac96-774b-bcce-${String(number).padStart(12, "0")}`,
    reference: "7K3M9QXT2V4FW",
    kind: "qr",
    status: "approved",
    direction: "received",
    counterparty: "Lola",
    counterparty_id: "01890a5d-ac96-774b-bcce-b302099a8058",
    amount: number,
    currency: "COP",
    created_at: "2026-03-31T14:04:00.000Z",
    ...changes,
  };
}

function amounts(movements: readonly Movement[]): readonly number[] {
  return movements.map(({ amount }) => amount);
}

test("what was there at the first look has not arrived", () => {
  expect(new Arrivals().among([received(2), received(1)], NOW)).toEqual([]);
});

test("each arrival is told once, the older first", () => {
  const arrivals = new Arrivals();
  arrivals.among([received(1)], NOW);
  expect(amounts(arrivals.among([received(3), received(2), received(1)], NOW))).toEqual([2, 3]);
  expect(arrivals.among([received(3), received(2), received(1)], NOW)).toEqual([]);
});

test("money that is held has not arrived until it is settled, and never does when it is rejected", () => {
  const arrivals = new Arrivals();
  arrivals.among([], NOW);
  expect(arrivals.among([received(1, { status: "pending" }), received(2, { status: "pending" })], NOW)).toEqual([]);
  expect(amounts(arrivals.among([received(1), received(2, { status: "rejected" })], NOW))).toEqual([1]);
});

test("what is older than some minutes is news to nobody", () => {
  const arrivals = new Arrivals();
  arrivals.among([], NOW);
  expect(arrivals.among([received(1, { created_at: "2026-03-31T13:50:00.000Z" })], NOW)).toEqual([]);
});

test("another person begins anew", () => {
  const arrivals = new Arrivals();
  arrivals.among([received(1)], NOW);
  arrivals.forget();
  expect(arrivals.among([received(2)], NOW)).toEqual([]);
});
