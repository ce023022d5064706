import { expect, test } from "vitest";
import type { Movement } from "../../src/contract/broker/broker.ts";
import { summaryOf } from "./month-summary.ts";

const payment = {
  ...{ kind: "payment", direction: "sent", status: "approved", currency: "COP", amount: 0.1 },
  ...{ counterparty: "Café", counterparty_id: "cafe", created_at: "2026-03-31T14:05:00.000Z" },
} as Movement;

test("payments are summed by payee, to the hundredth, less refunds, the largest first", () => {
  const earlier = { created_at: "2026-03-30T14:05:00.000Z" };
  const other = { counterparty: "Tienda", counterparty_id: "shop", amount: 900 };
  const movements = [
    payment,
    { ...payment, ...other, reversed_amount: 100.5 },
    { ...payment, ...earlier, amount: 0.2 },
    { ...payment, ...earlier, amount: 7, reversed_amount: 7, status: "reversed" },
  ] as const;
  expect(summaryOf(movements)).toEqual([
    { payee_id: "shop", payee: "Tienda", total: 799.5, payments: 1, last_at: payment.created_at },
    { payee_id: "cafe", payee: "Café", total: 0.3, payments: 3, last_at: payment.created_at },
  ]);
});

test("transfers, refunds, what was received, and what was not paid, are no payments", () => {
  const changes = [
    { kind: "transfer" },
    { kind: "refund" },
    { direction: "received" },
    { status: "rejected" },
    { status: "pending" },
  ] as const;
  expect(summaryOf(changes.map((change) => ({ ...payment, ...change })))).toEqual([]);
});
