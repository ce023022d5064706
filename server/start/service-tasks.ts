import type { HttpLog } from "../http/http-log.ts";
import { purgeIdempotencyRecords } from "../ledger/purge-idempotency-records.ts";
import { type Repeating, repeatTasks } from "../runtime/repeat-task.ts";
import { accrueDueCredits } from "../service/accrual/accrue-due-credits.ts";
import { closeDueMonths } from "../service/closing/close-due-months.ts";
import type { ClosingContext } from "../service/closing/closing-context.ts";
import { forgetUnpaidQrs } from "../service/qr/forget-unpaid-qrs.ts";
import { foldHistograms } from "../service/reports/fold-histograms.ts";
import { type LapseContext, lapseHolds } from "../service/transactions/expire-holds.ts";
import { type FoldContext, foldPayeeTotals } from "../service/transactions/fold-payee-totals.ts";

const FORGET_EVERY_MS = 60 * 60 * 1000;
const LAPSE_EVERY_MS = 2_000;
const FOLD_EVERY_MS = 5_000;
/**
 * Interval of the task that accrues interest: short enough that a day is accrued soon after midnight; a poll that finds
 * nothing due costs one index probe.
 */
export const ACCRUE_EVERY_MS = 3 * 60 * 1000;
const CLOSE_EVERY_MS = 10 * 60 * 1000;

/**
 * Starts the service's periodic tasks, which delete old idempotency records and unpaid codes, release expired holds,
 * add payments to the totals of their payees, accrue interest and close months; safe with several processes.
 */
export function startServiceTasks({
  log,
  ...service
}: LapseContext & FoldContext & ClosingContext & { readonly log: HttpLog }): Repeating {
  let isStopped = false;
  const accrue = async () => {
    const { sql, ledger, time, clock, clockWatch } = service;
    await clockWatch.requireSure();
    const lastOver = time.addDays(time.dayOf(clock()), -1);
    return accrueDueCredits({ sql, ledger, through: lastOver, isStopped: () => isStopped });
  };
  const close = () => closeDueMonths({ ...service, isStopped: () => isStopped });
  const purge = () => purgeIdempotencyRecords(service.sql, service.clock());
  const tasks = repeatTasks(log, [
    { name: "forget idempotency records", everyMs: FORGET_EVERY_MS, run: purge },
    { name: "forget unpaid codes", everyMs: FORGET_EVERY_MS, run: () => forgetUnpaidQrs(service.sql, service.clock()) },
    { name: "release expired holds", everyMs: LAPSE_EVERY_MS, run: () => lapseHolds(service) },
    { name: "add up payments by payee", everyMs: FOLD_EVERY_MS, run: () => foldPayeeTotals(service) },
    { name: "add up histograms of amounts", everyMs: FOLD_EVERY_MS, run: () => foldHistograms(service) },
    { name: "accrue interest", everyMs: ACCRUE_EVERY_MS, run: accrue },
    { name: "close months", everyMs: CLOSE_EVERY_MS, run: close },
  ]);
  return {
    async stop() {
      isStopped = true;
      await tasks.stop();
    },
  };
}
