import { stringify } from "csv-stringify/sync";
import type { AccountingReport } from "../../../src/contract/service/report-answers.ts";
import { trialBalanceColumns } from "./trial-balance.ts";

/**
 * Returns the trial balance as RFC 4180 text: a header, the line of each account (of `due_to` and `due_from` one per
 * counterparty), and the total.
 */
export function trialBalanceCsv({ accounts, total }: NonNullable<AccountingReport["trial_balance"]>): string {
  const columns = ["account", "counterparty_id", ...trialBalanceColumns];
  const rows = [...accounts, { account: "total", counterparty_id: null, ...total }];
  return stringify(rows, { header: true, columns, record_delimiter: "windows" });
}
