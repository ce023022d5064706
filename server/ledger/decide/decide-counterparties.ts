import type { Refusal } from "../model/command.ts";
import type {
  LimitCounterparty,
  LimitRecord,
  RecordSettlement,
  SettlementRecord,
} from "../model/counterparty-commands.ts";
import { owedOf } from "../model/exposure.ts";
import type { BatchState } from "./batch-state.ts";
import { movementLines } from "./books.ts";
import type { PaymentContext } from "./decide-payment.ts";
import { entityLeg, reversedLines } from "./spread-lines.ts";

/**
 * Decides a counterparty limit: sets how much the debtor entity may owe the caller's, also below what it owes already,
 * or restores the default.
 */
export function decideLimit(
  draft: BatchState,
  { debtorId, limit }: LimitCounterparty,
  { entityId: creditorId }: PaymentContext,
): LimitRecord {
  const exposure = draft.exposures.limit({ creditorId, debtorId }, limit);
  return { exposure, reverse: draft.exposures.of({ creditorId: debtorId, debtorId: creditorId }) };
}

const moreThanOwed: Refusal = {
  code: "more_than_owed",
  detail:
    "The amount is more than what that entity owes you; nothing was recorded. GET /counterparty-limits shows it: " +
    "exposure less held.",
};

/**
 * Decides an entity settlement, the record that the debtor paid the caller's entity outside the ledger: reduces the
 * debt and moves the cash, on both books. Refused where it is more than is owed; what is only held is not owed yet.
 */
export function decideCounterpartySettlement(
  draft: BatchState,
  { debtorId, amount, reference }: RecordSettlement,
  { entityId: creditorId, nextId }: PaymentContext,
): SettlementRecord | Refusal {
  const exposure = draft.exposures.wholeOf({ creditorId, debtorId });
  if (amount > owedOf(exposure)) return moreThanOwed;
  const paying = entityLeg("cash_clearing", debtorId, draft.moment);
  const paid = entityLeg("cash_clearing", creditorId, draft.moment);
  const lines = reversedLines(movementLines(paying, paid, amount, draft.moment));
  draft.post({ id: nextId(), kind: "settlement", reference }, lines);
  const settlement = { reference, creditorId, debtorId, amount };
  draft.emit({ type: "counterparty.settled", settlement }, [creditorId, debtorId]);
  return settlement;
}
