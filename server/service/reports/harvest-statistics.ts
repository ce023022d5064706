import type { HarvestStatistics } from "../../../src/contract/service/report-answers.ts";
import { rateOf } from "./rates.ts";
import { type CreditFigures, type LoanTypeFigures, sumFigures } from "./read-credit-figures.ts";
import {
  type AmountWriter,
  amountWriter,
  assertTied,
  frameAnswer,
  type ReportFrame,
  writeAmounts,
} from "./report-frame.ts";
import { daysOf } from "./report-period.ts";
import { rollInterest } from "./roll-forward.ts";

function harvestAnswer(figures: CreditFigures, write: AmountWriter): HarvestStatistics["total"] {
  const { interestAccrued, interestPaid, interestDue, interestOnTime, lateInterest, latePrincipal } = figures;
  return {
    interest_accrued: write(interestAccrued),
    interest_paid: write(interestPaid),
    harvest_rate_bps: rateOf(interestPaid, interestAccrued),
    interest_due: write(interestDue),
    interest_paid_on_time: write(interestOnTime),
    on_time_rate_bps: rateOf(interestOnTime, interestDue),
    late_interest_paid: write(lateInterest),
    late_principal_paid: write(latePrincipal),
  };
}

/**
 * Computes an entity's harvest statistics: interest paid relative to interest accrued on its credits, in total and by
 * day. Throws where the unpaid interest at the end is not `interestReceivable`, the balance in the books.
 */
export function harvestStatistics(
  entityId: string,
  { rows, interestReceivable }: { readonly rows: readonly LoanTypeFigures[]; readonly interestReceivable: bigint },
  frame: ReportFrame,
): HarvestStatistics {
  const write = amountWriter(frame.currency);
  const byDay = Map.groupBy(rows, ({ day }) => day);
  const sumOf = (day: string | null) => sumFigures((byDay.get(day) ?? []).map(({ figures }) => figures));
  const within = sumFigures(rows.filter(({ day }) => day !== null).map(({ figures }) => figures));
  const interest = rollInterest(sumOf(null), within);
  assertTied("interest that is owed", interest.closing, interestReceivable);
  return {
    entity_id: entityId,
    ...frameAnswer(frame),
    total: harvestAnswer(within, write),
    interest: writeAmounts({ ...interest }, write),
    days: daysOf(frame.period).map((day) => ({ day, ...harvestAnswer(sumOf(day), write) })),
  };
}
