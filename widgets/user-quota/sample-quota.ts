import type { QuotaMovement, QuotaSession } from "../../src/contract/broker/broker.ts";

/**
 * Returns a quota session for tests, with something of everything: a payment under way, one that was rejected, and
 * money that came in.
 */
export function sampleQuota(fields: Partial<QuotaSession> = {}): QuotaSession {
  return {
    kind: "quota",
    name: "Ana María Rojas",
    quota: 300_000,
    quota_available: 275_000,
    score: 720,
    status: "active",
    currency: "COP",
    movements: [
      movement("sent", "Café La Candelaria", 25_000, { status: "pending", created_at: "2026-11-21T14:32:00.000Z" }),
      movement("received", "Droguería Sol", 12_500.5, { kind: "refund" }),
      movement("sent", "Ferretería El Tornillo", 48_000, { kind: "payment", status: "rejected" }),
      movement("received", "Recargas Lucía", 100_000, { kind: "recharge" }),
      movement("sent", "Panadería Trigo", 7_200, { status: "reversed" }),
    ],
    as_of: "2026-11-21T15:00:00.000Z",
    expires_at: "2026-11-21T15:15:00.000Z",
    expires_in: 900,
    ...fields,
  };
}

function movement(
  direction: QuotaMovement["direction"],
  counterparty: string,
  amount: number,
  others: Partial<QuotaMovement>,
): QuotaMovement {
  const usual = { kind: "qr", status: "approved", created_at: "2026-11-19T12:00:00.000Z" } as const;
  return { ...usual, id: counterparty, direction, counterparty, amount, ...others };
}
