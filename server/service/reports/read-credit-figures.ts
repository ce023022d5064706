import type { Tx } from "../../database/connect.ts";
import { CREDIT_FIGURES } from "../../ledger/decide/credit-figures.ts";
import type { CreditDay } from "../../ledger/model/state.ts";

/** Every figure of credits, in minor units. */
export type CreditFigures = Readonly<Record<keyof CreditDay, bigint>>;

/** The figures of an entity's credits of one loan type, of one booking day or of all days before the period. */
export interface LoanTypeFigures {
  readonly loanType: string;
  /** Null for the sum of all days before the period. */
  readonly day: string | null;
  readonly figures: CreditFigures;
}

function columnOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

type FigureRow = { readonly loanType: string; readonly day: string | null } & Readonly<Record<keyof CreditDay, string>>;

/** Adds up figures of credits, each by its name. */
export function sumFigures(all: readonly CreditFigures[]): CreditFigures {
  const sums = CREDIT_FIGURES.map((name) => [name, all.reduce((sum, figures) => sum + figures[name], 0n)]);
  return Object.fromEntries(sums) as CreditFigures;
}

/** Reads what happened to an entity's credits: day by day within a period, and in one sum before it. */
export async function readCreditFigures(
  tx: Tx,
  entityId: string,
  { firstDay, lastDay }: { readonly firstDay: string; readonly lastDay: string },
): Promise<LoanTypeFigures[]> {
  const sums = CREDIT_FIGURES.map((name) => tx`, sum(${tx(columnOf(name))})::text as ${tx(name)}`);
  const rows = await tx<FigureRow[]>`
    select loan_type as "loanType", case when day >= ${firstDay} then day end::text as day ${sums}
    from service.credit_days where entity_id = ${entityId} and day <= ${lastDay}
    group by 1, 2`;
  return rows.map(({ loanType, day, ...texts }) => {
    const figures = CREDIT_FIGURES.map((name) => [name, BigInt(texts[name])]);
    return { loanType, day, figures: Object.fromEntries(figures) as CreditFigures };
  });
}
