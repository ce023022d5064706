import { stringify } from "csv-stringify/sync";
import type { AccountingReport } from "../../../src/contract/service/report-answers.ts";
import { trialBalanceColumns } from "./trial-balance.ts";

/** The trial balance as RFC 4180 text: one line per account, and the total. */
export function trialBalanceCsv({ accounts, total }: NonNullable<AccountingReport["trial_balance"]>): string {
  const columns = ["account", "counterparty_id", ...trialBalanceColumns];
  const rows = [...accounts, { account: "total", counterparty_id: null, ...total }];
  return stringify(rows, { header: true, columns, record_delimiter: "windows" });
}
