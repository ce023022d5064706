import { businessTime } from "../../src/business-time.ts";
import { formatAmount } from "../../src/money.ts";
import { CLOCK_LIMIT_MS } from "../ledger/model/machine-clock.ts";
import { type ClockState, keepClockMark, readClockState } from "../ledger/storage/clock-marks.ts";
import { reverseDueAccruals } from "../service/accrual/reverse-due-accruals.ts";
import { reopenMonths } from "../service/closing/reopen-months.ts";
import { monthOf } from "../service/reports/months.ts";
import { toText } from "../service/shared/service-context.ts";
import { commandLedger } from "./command-ledger.ts";
import {
  COMMAND_LINE,
  type CommandContext,
  CommandError,
  type CommandOutput,
  instantText,
  planPlain,
  planVerbs,
  readArguments,
  type TerminalCommand,
  tableText,
} from "./terminal-command.ts";

const USAGE = `Usage: npm run clock -- show
       npm run clock -- confirm YYYY-MM-DD
       npm run clock -- take-back

  A wall clock that jumps, or that is behind the newest posting, stops the accrual of interest and the closing of
  months, and with them repayments of credits that lack interest; payments go on. Set the clock right, look at what
  show tells, and confirm the time with today's date as another clock has it. Then take-back opens the months of every
  entity that were closed before they were over, and takes back the interest of today and the days to come, as
  POST /reopen-month and POST /reverse-accruals do for one entity. Credits that were repaid since are named and left.

  --json   what was done as one JSON document`;

/** The present times of this process and the database, and the recorded clock state. */
interface Clocks {
  readonly own: Date;
  readonly database: Date;
  readonly state: ClockState;
}

async function readClocks({ sql, clock, machine }: CommandContext): Promise<Clocks> {
  const state = await readClockState(sql, machine.id);
  const own = clock();
  return { own, database: (machine.databaseTime ?? ((told: Date) => told))(state.databaseAt), state };
}

function saidOf({ own, database, state }: Clocks, standing: string): CommandOutput {
  const newest = state.newest === undefined ? "none" : instantText(state.newest.createdAt);
  const rows = [
    ["this clock", instantText(own)],
    ["the database's clock", instantText(database)],
    ["the newest posting", newest],
    ["accrual and closing", standing],
  ];
  const data = { own, database, newest_posting: state.newest?.createdAt ?? null, standing };
  return { text: tableText(rows), data };
}

async function show(services: CommandContext): Promise<CommandOutput> {
  const clocks = await readClocks(services);
  const isStopped = clocks.state.mark?.kind === "strayed";
  return saidOf(clocks, isStopped ? `stopped: ${clocks.state.note}` : "go on");
}

async function confirm(services: CommandContext, day: string): Promise<CommandOutput> {
  const clocks = await readClocks(services);
  const { own, database, state } = clocks;
  if (Math.abs(own.getTime() - database.getTime()) > CLOCK_LIMIT_MS) {
    throw new CommandError(
      `This clock says ${instantText(own)} and the database's ${instantText(database)}: set the wrong one right first.`,
    );
  }
  const today = businessTime(services.timeZone).dayOf(own);
  if (day !== today) {
    throw new CommandError(`By this clock today is ${today}, not ${day}: set the clock right first.`);
  }
  const { sql, machine } = services;
  const reading = { at: own, upMs: machine.upMs(), machine: machine.id, newestPostingId: state.newest?.id ?? null };
  await keepClockMark(sql, { ...reading, kind: "confirmed", note: "at the command line" });
  return saidOf(clocks, "go on");
}

async function takeBack(services: CommandContext): Promise<CommandOutput> {
  const { sql, currency } = services;
  const { ledger, time } = await commandLedger(services);
  const now = services.clock();
  const [from, madeBy] = [time.dayOf(now), COMMAND_LINE];
  const total = { months: 0, credits: 0, amount: 0n, left: [] as string[] };
  for (const { id: entityId } of await sql<{ id: string }[]>`select id from service.entities order by id`) {
    total.months += (await reopenMonths(sql, { entityId, month: monthOf(from), now, madeBy })).length;
    const { credits, amount, left } = await reverseDueAccruals({ sql, ledger, entityId, from, madeBy });
    total.credits += credits;
    total.amount += amount;
    total.left.push(...left);
  }
  const { months, credits, amount, left } = total;
  const rows = [
    ["months opened again", String(months)],
    ["interest taken back", `${toText(currency, amount)}, of ${credits} credits`],
    ["credits repaid since", left.length === 0 ? "none" : left.join(" ")],
  ];
  const data = { from_day: from, months, credits, amount: formatAmount(amount, currency.digits), left };
  return { text: tableText(rows), data };
}

/**
 * `npm run clock`: shows the clocks, confirms that the time is right, and undoes the month closes and accruals of a
 * clock that ran ahead.
 */
export const clockCommand: TerminalCommand = {
  usage: USAGE,
  plan: planVerbs({
    show: planPlain(show),
    "take-back": planPlain(takeBack),
    confirm(args) {
      const [day = ""] = readArguments(args, {}, ["date of today, such as 2026-03-31"]).positionals;
      return (services) => confirm(services, day);
    },
  }),
};
