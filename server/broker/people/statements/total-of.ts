import { numberToAmountText, parseAmount, sumAmounts } from "../../../../src/money.ts";
import type { StatementMovement } from "./statement.ts";

/** Sums either the received or the sent movements of a statement, in minor units of `digits` decimals. */
export function totalOf(movements: readonly StatementMovement[], direction: "sent" | "received", digits: number) {
  const own = movements.filter((movement) => movement.direction === direction);
  return sumAmounts(own.map(({ amount }) => parseAmount(numberToAmountText(amount), digits)));
}
