import type { Movement } from "../../src/contract/broker/broker.ts";
import { sumText } from "../../src/money.ts";

const KINDS: ReadonlySet<Movement["kind"]> = new Set(["payment", "batch", "qr", "transfer"]);

/** States of money that has arrived, also where some of it was refunded later. */
export const arrivedStatuses: ReadonlySet<Movement["status"]> = new Set(["approved", "reversed"]);

/** True for money that somebody paid to the person; a refund to them and a top-up are no sales. */
export function isSale({ direction, kind, status }: Movement): boolean {
  return direction === "received" && arrivedStatuses.has(status) && KINDS.has(kind);
}

/** The sum of the sales among movements, less what was refunded of them, in currency units as decimal text. */
export function salesTotal(movements: readonly Movement[]): string {
  const sales = movements.filter(isSale);
  return sumText(sales.flatMap(({ amount, reversed_amount: refunded = 0 }) => [amount, -refunded]));
}
