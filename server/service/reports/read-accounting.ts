import type { Tx } from "../../database/connect.ts";
import type { DueDebts } from "./ageing.ts";
import { type DebtsAt, debtsAt, debtsOf } from "./debts-at.ts";
import { type LoanTypeFigures, readCreditFigures } from "./read-credit-figures.ts";
import { type LedgerSums, readLedgerSums } from "./read-ledger-sums.ts";
import type { ReportPeriod } from "./report-period.ts";

/** The figures of an entity's accounting reports of a month, of every loan type. */
export interface AccountingFigures {
  readonly credits: readonly LoanTypeFigures[];
  readonly ledger: readonly LedgerSums[];
  readonly debts: readonly DueDebts[];
  /** Distinct users who owe something, by loan type; of all types where it is null. */
  readonly borrowers: ReadonlyMap<string | null, number>;
}

async function readDebts(tx: Tx, at: DebtsAt): Promise<DueDebts[]> {
  const rows = await tx<{ loanType: string; dueDate: string | null; credits: string; outstanding: string }[]>`
    select loan_type as "loanType", due_date::text as "dueDate", count(*)::text as credits,
      sum(outstanding)::text as outstanding
    from (${debtsAt(tx, at)}) as owed group by loan_type, due_date`;
  return rows.map((row) => ({ ...row, credits: BigInt(row.credits), outstanding: BigInt(row.outstanding) }));
}

async function readBorrowers(tx: Tx, at: DebtsAt): Promise<Map<string | null, number>> {
  const rows = await tx<{ loanType: string | null; borrowers: number }[]>`
    select loan_type as "loanType", count(distinct user_id)::integer as borrowers
    from (${debtsAt(tx, at)}) as owed group by grouping sets ((loan_type), ())`;
  return new Map(rows.map(({ loanType, borrowers }) => [loanType, borrowers]));
}

/** Reads the books and credits of an entity over a month, through the last day of the period. */
export async function readAccounting(tx: Tx, entityId: string, period: ReportPeriod): Promise<AccountingFigures> {
  const at = await debtsOf(tx, entityId, period.lastDay);
  const [credits, ledger, debts, borrowers] = await Promise.all([
    readCreditFigures(tx, entityId, period),
    readLedgerSums(tx, entityId, period),
    readDebts(tx, at),
    readBorrowers(tx, at),
  ]);
  return { credits, ledger, debts, borrowers };
}

/**
 * Reads the loan types that an entity's reports may be narrowed to, sorted by name: its own, `default`, and any that a
 * credit of it has or had.
 */
export async function readLoanProducts(tx: Tx, entityId: string): Promise<string[]> {
  const rows = await tx<{ loanType: string }[]>`
    select 'default' as "loanType"
    union select loan_type from service.loan_types where entity_id = ${entityId}
    union select loan_type from service.credit_days where entity_id = ${entityId}`;
  return rows.map(({ loanType }) => loanType).sort();
}
