import { numberToAmountText, parseAmount, sumAmounts } from "../../../../src/money.ts";
import type { StatementMovement } from "./statement.ts";

/** Sums what came in and what went out by some movements, both zero or more, in minor units of `digits` decimals. */
export function totalsOf(movements: readonly Pick<StatementMovement, "amount">[], digits: number) {
  const amounts = movements.map(({ amount }) => parseAmount(numberToAmountText(amount), digits));
  return {
    moneyIn: sumAmounts(amounts.filter((amount) => amount > 0n)),
    moneyOut: -sumAmounts(amounts.filter((amount) => amount < 0n)),
  };
}
