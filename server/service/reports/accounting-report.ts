import type { AccountingReport } from "../../../src/contract/service/report-answers.ts";
import { ageingOf, type DueDebts, portfolioAtRisk } from "./ageing.ts";
import { rateOf, sharesOf } from "./rates.ts";
import type { AccountingFigures } from "./read-accounting.ts";
import { type LoanTypeFigures, sumFigures } from "./read-credit-figures.ts";
import { debitBalance } from "./read-ledger-sums.ts";
import {
  type AmountWriter,
  amountWriter,
  assertTied,
  frameAnswer,
  type ReportFrame,
  writeAmounts,
} from "./report-frame.ts";
import { rollInterest, rollPrincipal } from "./roll-forward.ts";
import { trialBalance } from "./trial-balance.ts";

/** The entity, month and loan type of an accounting report, and if the month is closed. */
export interface AccountingAbout {
  readonly entityId: string;
  /** `YYYY-MM`. */
  readonly month: string;
  /** Null for all loan types. */
  readonly loanProduct: string | null;
  readonly isClosed: boolean;
}

function sumOf(rows: readonly LoanTypeFigures[]) {
  return sumFigures(rows.map(({ figures }) => figures));
}

function trialBalanceAnswer(figures: AccountingFigures, write: AmountWriter): AccountingReport["trial_balance"] {
  const { accounts, total } = trialBalance(figures.ledger);
  return {
    accounts: accounts.map(({ columns, ...line }) => ({ ...line, ...writeAmounts({ ...columns }, write) })),
    total: writeAmounts({ ...total }, write),
  };
}

function agedAnswer(debts: readonly DueDebts[], day: string, write: AmountWriter) {
  const ageing = ageingOf(debts, day);
  const outstanding = ageing.reduce((sum, line) => sum + line.outstanding, 0n);
  const shares = sharesOf(ageing.map((line) => line.outstanding));
  const par = portfolioAtRisk(debts, day);
  const atRisk = (late: bigint) => ({ outstanding: write(late), rate_bps: rateOf(late, outstanding) });
  return {
    credits: Number(ageing.reduce((sum, { credits }) => sum + credits, 0n)),
    ageing: ageing.map((line, index) => ({
      bucket: line.bucket,
      credits: Number(line.credits),
      outstanding: write(line.outstanding),
      share_bps: shares[index] ?? null,
    })),
    portfolio_at_risk: {
      par1: atRisk(par.par1),
      par30: atRisk(par.par30),
      par60: atRisk(par.par60),
      par90: atRisk(par.par90),
    },
  };
}

/** Throws unless the roll-forwards of the credits agree with the books. */
function assertBooksAgree(figures: AccountingFigures): void {
  const before = sumOf(figures.credits.filter(({ day }) => day === null));
  const within = sumOf(figures.credits.filter(({ day }) => day !== null));
  const { closing: principal } = rollPrincipal(before, within);
  const { closing: interest } = rollInterest(before, within);
  assertTied("principal in the books", principal, debitBalance(figures.ledger, "credits_receivable"));
  assertTied("interest in the books", interest, debitBalance(figures.ledger, "interest_receivable"));
}

/** Computes the accounting report of a month, of all loan types or of one; throws when its figures do not tie. */
export function accountingReport(
  { entityId, month, loanProduct, isClosed }: AccountingAbout,
  figures: AccountingFigures,
  frame: ReportFrame,
): AccountingReport {
  const write = amountWriter(frame.currency);
  const isMeant = ({ loanType }: { readonly loanType: string }) => loanProduct === null || loanType === loanProduct;
  const own = figures.credits.filter(isMeant);
  const debts = figures.debts.filter(isMeant);
  const [before, within] = [sumOf(own.filter(({ day }) => day === null)), sumOf(own.filter(({ day }) => day !== null))];
  const principal = rollPrincipal(before, within);
  assertBooksAgree(figures);
  assertTied(
    "outstanding principal",
    principal.closing,
    debts.reduce((sum, { outstanding }) => sum + outstanding, 0n),
  );
  return {
    entity_id: entityId,
    ...frameAnswer(frame),
    year: Number(month.slice(0, 4)),
    month: Number(month.slice(5)),
    loan_product: loanProduct,
    closed: isClosed,
    principal: writeAmounts({ ...principal }, write),
    interest: writeAmounts({ ...rollInterest(before, within) }, write),
    recovered: write(within.recovered),
    borrowers: figures.borrowers.get(loanProduct) ?? 0,
    ...agedAnswer(debts, frame.period.lastDay, write),
    trial_balance: loanProduct === null ? trialBalanceAnswer(figures, write) : null,
  };
}
