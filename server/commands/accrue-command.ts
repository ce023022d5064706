import { formatAmount } from "../../src/money.ts";
import { accrueDueCredits } from "../service/accrual/accrue-due-credits.ts";
import { toText } from "../service/shared/service-context.ts";
import { commandLedger } from "./command-ledger.ts";
import { type CommandContext, type CommandOutput, planPlain, type TerminalCommand } from "./terminal-command.ts";

const USAGE = `Usage: npm run accrue

  Posts the interest that open credits of every entity lack, of the days that are over. The service does so by itself
  every few minutes; days off are caught up, and what is posted already is not posted again.

  --json   what was done as one JSON document`;

async function accrue(services: CommandContext): Promise<CommandOutput> {
  const { sql, clock, currency } = services;
  const { ledger, clockWatch, time } = await commandLedger(services);
  await clockWatch.requireSure();
  const through = time.addDays(time.dayOf(clock()), -1);
  const { credits, amount } = await accrueDueCredits({ sql, ledger, through });
  const text =
    credits === 0
      ? `Nothing was missing up to ${through}.`
      : `${toText(currency, amount)} of interest posted, up to ${through}.`;
  return { text, data: { through, amount: formatAmount(amount, currency.digits), currency: currency.code } };
}

/** `npm run accrue`: posts by hand the interest that is due through yesterday. */
export const accrueCommand: TerminalCommand = { usage: USAGE, plan: planPlain(accrue) };
