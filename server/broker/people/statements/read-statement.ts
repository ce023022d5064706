import { addDays } from "../../../../src/calendar-day.ts";
import { numberToAmountText, parseAmount, sumToNumber } from "../../../../src/money.ts";
import { accountLines, type NameParts, type StatementLine, type StatementService } from "./account-lines.ts";
import type { Statement } from "./statement.ts";
import { totalsOf } from "./totals-of.ts";

/** The dependencies of reading a statement, and how many decimals amounts have. */
export interface StatementParts extends NameParts {
  readonly digits: number;
}

/** A month as its first and its last day. */
export interface Period {
  readonly fromDay: string;
  readonly toDay: string;
}

/** The largest page that the service gives. */
const PAGE = "500";
/** Days to add to a month's first day, so that the result always lies in the next month. */
const PAST_ITS_END = 31;

/** Returns the days of a month. */
export function periodOf(month: string): Period {
  const fromDay = `${month}-01`;
  return { fromDay, toDay: addDays(`${addDays(fromDay, PAST_ITS_END).slice(0, 7)}-01`, -1) };
}

/** The error of a statement with more movements than are allowed. */
export class TooManyMovementsError extends Error {
  override readonly name = "TooManyMovementsError";
}

/** The error of a statement whose movements do not lead from the balance before to the one after: it is not shown. */
class StatementMismatchError extends Error {
  override readonly name = "StatementMismatchError";
}

/** The part of a statement that is read from the account. */
export type AccountMonth = Omit<Statement, "month" | "name" | "currency" | "as_of">;

interface Balances {
  readonly opening: bigint;
  readonly closing: bigint;
}

/** Throws unless the movements lead from the opening balance to the closing one, each by its own amount. */
function checkMovements(lines: readonly StatementLine[], { opening, closing }: Balances): void {
  let balance = opening;
  for (const [index, { amount, balanceAfter }] of lines.entries()) {
    balance += amount;
    if (balance !== balanceAfter) throw new StatementMismatchError(`movement ${index + 1} leaves another balance`);
  }
  if (balance !== closing)
    throw new StatementMismatchError("opening balance and movements are not the closing balance");
}

/**
 * Reads all that moved a person's balance on the days of a month, by booking day, with the balances before and after.
 * Throws {@link TooManyMovementsError} beyond `max`, and {@link StatementMismatchError} where they do not add up.
 */
export async function readStatement(
  service: StatementService,
  { fromDay, toDay }: Period,
  { max, ...parts }: StatementParts & { readonly max: number },
): Promise<AccountMonth> {
  const days = { "from-day": fromDay, "to-day": toDay, limit: PAGE };
  const lines: StatementLine[] = [];
  let page = await service.accountStatement(days);
  const { final, opening_balance, closing_balance } = page.body;
  for (;;) {
    lines.push(...(await accountLines(page.body.entries, service, parts)));
    if (lines.length > max) throw new TooManyMovementsError();
    if (page.nextCursor === undefined) break;
    page = await service.accountStatement({ ...days, cursor: page.nextCursor });
  }
  const minor = (amount: number): bigint => parseAmount(numberToAmountText(amount), parts.digits);
  checkMovements(lines, { opening: minor(opening_balance), closing: minor(closing_balance) });
  const inUnits = (amount: bigint): number => sumToNumber(amount, parts.digits);
  const movements = lines.map(({ amount, balanceAfter, ...line }) => {
    return { ...line, amount: inUnits(amount), balance_after: inUnits(balanceAfter) };
  });
  const { moneyIn, moneyOut } = totalsOf(movements, parts.digits);
  const totals = { money_in: inUnits(moneyIn), money_out: inUnits(moneyOut) };
  return { final, opening_balance, ...totals, closing_balance, movements };
}
