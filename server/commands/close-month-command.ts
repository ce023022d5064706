import { closeDueMonths } from "../service/closing/close-due-months.ts";
import { lastMonthOver } from "../service/closing/close-months.ts";
import { commandLedger } from "./command-ledger.ts";
import {
  type CommandContext,
  type CommandOutput,
  planPlain,
  type TerminalCommand,
  tableText,
} from "./terminal-command.ts";

const USAGE = `Usage: npm run close-month

  Closes every month that is over, of every entity: interest is accrued to the end of each day, nothing more is booked
  in the month, and its reports are computed and kept. The service does so by itself on the first day of the next
  month; what is closed already stays as it is.

  --json   what was done as one JSON document`;

async function closeMonth(services: CommandContext): Promise<CommandOutput> {
  const { sql, clock, currency } = services;
  const context = { sql, clock, currency, ...(await commandLedger(services)) };
  const month = lastMonthOver(context);
  const closed = await closeDueMonths(context);
  const data = closed.map(({ entityId, sha256 }) => ({ entity_id: entityId, month, sha256 }));
  if (closed.length === 0) return { text: `Every month through ${month} is closed already.`, data };
  const rows = closed.map(({ entityId, sha256 }) => [entityId, month, sha256]);
  return { text: tableText([["entity", "closed through", "SHA-256 of its reports"], ...rows]), data };
}

/** `npm run close-month`: closes by hand the months that are over, of every entity. */
export const closeMonthCommand: TerminalCommand = { usage: USAGE, plan: planPlain(closeMonth) };
