import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Payment } from "../../server/ledger/model/command.ts";
import { decideAll } from "./decided.ts";
import { aHistory, type History } from "./history.ts";

const RUNS = { numRuns: 300 };

type Asked = Pick<Payment, "reference" | "amount"> & { readonly qr?: Payment["qr"] };

function paymentsOf({ commands }: History): Asked[] {
  return commands.flatMap(({ action }): readonly Asked[] => {
    if (action.type === "batch") return action.items;
    return action.type === "payment" ? [action] : [];
  });
}

describe("deciding on payments of a QR", () => {
  it("lets a QR be taken once at most, by an approved or held payment alone, which then has its reference", () => {
    fc.assert(
      fc.property(aHistory({ maxLength: 60 }), (history) => {
        const { state } = decideAll(history);
        const transactions = [...state.transactions.values()];
        for (const qr of state.qrs.values()) {
          const taking = transactions.filter(({ reference }) => reference === qr.reference);
          expect(taking.map(({ id }) => id)).toEqual(qr.transactionId === null ? [] : [qr.transactionId]);
          for (const { status, amount, heldAmount, toUserId } of taking) {
            expect(["approved", "pending", "reversed"]).toContain(status);
            expect([heldAmount ?? amount, toUserId]).toEqual([qr.amount, qr.toUserId]);
          }
        }
      }),
      RUNS,
    );
  });

  it("keeps a rejected attempt under its own reference, with the QR's details, and the QR payable", () => {
    fc.assert(
      fc.property(aHistory({ maxLength: 60 }), (history) => {
        const own = new Map(paymentsOf(history).map((payment) => [payment.reference, payment]));
        const { state, transactions } = decideAll(history);
        for (const record of transactions.filter(({ status }) => status === "rejected")) {
          const asked = own.get(record.reference);
          expect(asked?.amount).toBe(record.amount);
          const reserved = asked?.qr?.reference;
          expect(record.qrDetails).toBe(reserved === undefined ? null : state.qrs.get(reserved)?.details);
        }
      }),
      RUNS,
    );
  });

  it("gives every kept payment a reference of its own", () => {
    fc.assert(
      fc.property(aHistory({ maxLength: 60 }), (history) => {
        const references = [...decideAll(history).state.transactions.values()].map(({ reference }) => reference);
        expect(new Set(references).size).toBe(references.length);
      }),
      RUNS,
    );
  });

  it("never changes what was reserved but to say that it was cancelled or paid, and never both", () => {
    fc.assert(
      fc.property(aHistory({ maxLength: 60 }), (history) => {
        const { state } = decideAll(history);
        for (const { action } of history.commands.filter(({ action: { type } }) => type === "reserve-qr")) {
          const { type: _, ...reserved } = action as Extract<typeof action, { type: "reserve-qr" }>;
          const kept = state.qrs.get(reserved.reference);
          if (kept === undefined) continue;
          expect(kept).toMatchObject({ ...reserved, fromUserId: reserved.fromUserId ?? null });
          expect(kept.cancelledAt === null || kept.transactionId === null).toBe(true);
        }
      }),
      RUNS,
    );
  });
});
