import { createPaymentReference } from "../../../src/payment-reference.ts";
import type { ServiceContext } from "../shared/service-context.ts";
import { findExpiredHolds } from "./find-recorded-payment.ts";

/** Holds of one round; a backlog continues in the next round, and the next run. */
const HOLDS_AT_ONCE = 500;
const MOST_ROUNDS = 20;

/** The dependencies of releasing expired holds. */
export type LapseContext = Pick<ServiceContext, "sql" | "ledger" | "clock" | "random" | "time">;

async function lapseRound(service: LapseContext): Promise<number> {
  const expired = await findExpiredHolds(service, service.clock(), HOLDS_AT_ONCE);
  const lapsing = expired.map(({ madeBy, ...payment }) =>
    service.ledger.post({
      origin: { clientId: "holds", entityId: madeBy, operation: "lapse", idempotency: undefined },
      action: { type: "lapse", ...payment, reference: createPaymentReference(service.random) },
      answer: () => null,
    }),
  );
  const outcomes = await Promise.allSettled(lapsing);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  return expired.length;
}

/**
 * Releases expired holds, and extends those of blocked payers. Several processes may do so at once: the second one
 * finds a hold released and leaves it.
 */
export async function lapseHolds(service: LapseContext): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if ((await lapseRound(service)) < HOLDS_AT_ONCE) return;
  }
}
