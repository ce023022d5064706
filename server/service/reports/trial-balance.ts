import { BooksAccount } from "../../../src/contract/service/report-answers.ts";
import { hasCounterparties } from "../books/accounts.ts";
import type { LedgerSums } from "./read-ledger-sums.ts";
import { assertTied } from "./report-frame.ts";

/** The names of a trial balance's columns of amounts, in the order in which they are shown. */
export const trialBalanceColumns = Object.freeze([
  "opening_debit",
  "opening_credit",
  "debit",
  "credit",
  "closing_debit",
  "closing_credit",
] as const);

/** A line's columns in minor units; a balance is in the column of its side, debit or credit. */
type TrialBalanceColumns = Readonly<Record<(typeof trialBalanceColumns)[number], bigint>>;

/** Balances and movements of an entity's accounts of one kind. */
interface TrialBalanceLine {
  readonly account: (typeof BooksAccount.options)[number];
  readonly counterparty_id: string | null;
  readonly columns: TrialBalanceColumns;
}

/** The trial balance of an entity's books over a period. */
export interface TrialBalance {
  readonly accounts: readonly TrialBalanceLine[];
  readonly total: TrialBalanceColumns;
}

function columnsOf({ debitBefore, creditBefore, debit, credit }: Omit<LedgerSums, "kind" | "counterpartyId">) {
  const opening = debitBefore - creditBefore;
  const closing = opening + debit - credit;
  return {
    opening_debit: opening > 0n ? opening : 0n,
    opening_credit: opening < 0n ? -opening : 0n,
    debit,
    credit,
    closing_debit: closing > 0n ? closing : 0n,
    closing_credit: closing < 0n ? -closing : 0n,
  };
}

const NOTHING = { debitBefore: 0n, creditBefore: 0n, debit: 0n, credit: 0n };

/**
 * Computes the trial balance: one line for each kind of account, but for `due_to` and `due_from` one for each
 * counterparty, and the totals. Throws unless debits equal credits in the opening balances, the movements and the
 * closing balances.
 */
export function trialBalance(sums: readonly LedgerSums[]): TrialBalance {
  const accounts = BooksAccount.options.flatMap((account): TrialBalanceLine[] => {
    const own = sums.filter(({ kind }) => kind === account);
    if (!hasCounterparties(account)) {
      return [{ account, counterparty_id: null, columns: columnsOf(own[0] ?? NOTHING) }];
    }
    return own.map((each) => ({ account, counterparty_id: each.counterpartyId, columns: columnsOf(each) }));
  });
  const totalOf = (name: keyof TrialBalanceColumns) => accounts.reduce((sum, { columns }) => sum + columns[name], 0n);
  const totals = trialBalanceColumns.map((name) => [name, totalOf(name)]);
  const total = Object.fromEntries(totals) as unknown as TrialBalanceColumns;
  assertTied("the opening balance", total.opening_debit, total.opening_credit);
  assertTied("the sum of movements", total.debit, total.credit);
  assertTied("the closing balance", total.closing_debit, total.closing_credit);
  return { accounts, total };
}
