import { numberToAmountText, parseAmount, sumAmounts } from "../../../src/money.ts";
import type { StatementMovement } from "./statement.ts";

/** All that came or all that went, in minor units of so many decimals. */
export function totalOf(movements: readonly StatementMovement[], direction: "sent" | "received", digits: number) {
  const own = movements.filter((movement) => movement.direction === direction);
  return sumAmounts(own.map(({ amount }) => parseAmount(numberToAmountText(amount), digits)));
}
