import type { Movement } from "../../src/contract/broker/broker.ts";
import type { SummaryPayee } from "../../src/contract/broker/my-account.ts";

const KINDS: ReadonlySet<Movement["kind"]> = new Set(["payment", "batch", "qr"]);
const STATUSES: ReadonlySet<Movement["status"]> = new Set(["approved", "reversed"]);

/** True for a payment that the person made, also where it was refunded later; a transfer is none. */
export function isSentPayment({ direction, kind, status }: Movement): boolean {
  return direction === "sent" && STATUSES.has(status) && KINDS.has(kind);
}

/** Sums the payments among movements, newest first, by payee, less refunds; the largest sum comes first. */
export function summaryOf(movements: readonly Movement[]): readonly SummaryPayee[] {
  const byId = new Map<string, SummaryPayee>();
  for (const movement of movements.filter(isSentPayment)) {
    const { amount, counterparty: payee, counterparty_id: payee_id, created_at: last_at } = movement;
    const known = byId.get(payee_id) ?? { payee_id, payee, total: 0, payments: 0, last_at };
    // In hundredths, so that no floating-point residue is left.
    const hundredths = [known.total, amount, -(movement.reversed_amount ?? 0)].map((sum) => Math.round(sum * 100));
    const total = hundredths.reduce((sum, one) => sum + one) / 100;
    byId.set(payee_id, { ...known, total, payments: known.payments + 1 });
  }
  return [...byId.values()].sort((one, other) => other.total - one.total);
}
