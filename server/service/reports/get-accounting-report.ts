import type { AccountingReport } from "../../../src/contract/service/report-answers.ts";
import type * as contract from "../../../src/contract/service/reports.ts";
import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { Call, Handler, Reply } from "../../../src/contract/shared/handler.ts";
import { type ApiCaller, type ReadContext, refuseFaults } from "../shared/service-context.ts";
import { accountingReport } from "./accounting-report.ts";
import { ALL_PRODUCTS, type ClosedMonth, findClosedMonth } from "./closed-months.ts";
import { firstDayOf, lastDayOf } from "./months.ts";
import { readAccounting, readLoanProducts } from "./read-accounting.ts";
import { readSnapshot } from "./read-snapshot.ts";
import { daysPeriod } from "./report-period.ts";
import { trialBalanceCsv } from "./trial-balance-csv.ts";

const CSV = "text/csv";

/** Which report is asked for. */
interface Asked {
  readonly entityId: string;
  readonly month: string;
  readonly loanProduct: string | null;
}

function readAsked(service: ReadContext, call: Call<typeof contract.getAccountingReport, ApiCaller>): Asked {
  const { query, principal, mediaType } = call;
  const month = `${query.year}-${query.month.padStart(2, "0")}`;
  const loanProduct = query["loan-product"] ?? null;
  const faults: Fault[] = [];
  if (firstDayOf(month) > service.time.dayOf(service.clock())) {
    faults.push({ parameter: "month", detail: "must have begun" });
  }
  if (mediaType === CSV && loanProduct !== null) {
    faults.push({ parameter: "loan-product", detail: "must be left out of text/csv: its trial balance is of all" });
  }
  refuseFaults(faults);
  return { entityId: principal.entityId, month, loanProduct };
}

function refuseUnknownProduct(known: Iterable<string>, loanProduct: string | null): void {
  if (loanProduct === null || [...known].some((product) => product === loanProduct && product !== ALL_PRODUCTS)) return;
  refuseFaults([{ parameter: "loan-product", detail: "must be one of your loan types, or default" }]);
}

/** The reply as `Accept` asked: the report, or its trial balance for a spreadsheet. */
function replyOf(mediaType: string, month: string, body: AccountingReport, csv: () => string): Reply<AccountingReport> {
  if (mediaType !== CSV) return { body };
  const headers = { "Content-Disposition": `attachment; filename="trial-balance-${month}.csv"` };
  return { body, media: { type: `${CSV}; charset=utf-8`, content: csv() }, headers };
}

/** A closed month is sent as it was kept, byte for byte. */
function closedReply(closed: ClosedMonth, { loanProduct, month }: Asked, mediaType: string): Reply<AccountingReport> {
  refuseUnknownProduct(closed.reports.keys(), loanProduct);
  const content = closed.reports.get(loanProduct ?? ALL_PRODUCTS) ?? "";
  const body = JSON.parse(content) as AccountingReport;
  if (mediaType === CSV) return replyOf(mediaType, month, body, () => closed.trialBalanceCsv);
  return { body, media: { type: "application/json", content } };
}

/** A month that is not closed is computed from the primary, so that it holds all that was posted. */
async function openReply(service: ReadContext, asked: Asked, mediaType: string): Promise<Reply<AccountingReport>> {
  const { sql, clock, currency, time } = service;
  const { entityId, month, loanProduct } = asked;
  const now = clock();
  const [today, last] = [time.dayOf(now), lastDayOf(month)];
  const period = daysPeriod({ time, clock: () => now }, firstDayOf(month), last < today ? last : today);
  return readSnapshot(sql, clock, async (tx, asOf) => {
    refuseUnknownProduct(await readLoanProducts(tx, entityId), loanProduct);
    const figures = await readAccounting(tx, entityId, period);
    const about = { entityId, month, loanProduct, isClosed: false };
    const body = accountingReport(about, figures, { currency, asOf, period });
    return replyOf(mediaType, month, body, () =>
      body.trial_balance === null ? "" : trialBalanceCsv(body.trial_balance),
    );
  });
}

/**
 * Answers the accounting report of a month of the caller's entity: of a closed month as it was kept, else computed now.
 */
export function getAccountingReport(service: ReadContext): Handler<typeof contract.getAccountingReport, ApiCaller> {
  return async (call) => {
    const asked = readAsked(service, call);
    const { entityId, month } = asked;
    const closed =
      (await findClosedMonth(service.readSql, entityId, month)) ??
      (service.readSql === service.sql ? undefined : await findClosedMonth(service.sql, entityId, month));
    return closed === undefined
      ? openReply(service, asked, call.mediaType)
      : closedReply(closed, asked, call.mediaType);
  };
}
