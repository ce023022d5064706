import type { Tx } from "../../../database/connect.ts";
import type { RechargeSessionPrincipal } from "../../access/principal.ts";
import { type EffectiveLimit, leftOf } from "../../people/protection/limits-of.ts";
import { soldBySession } from "./recharge-store.ts";

/**
 * Reads the limits that a till's session sets: of one top-up, and of all its top-ups with the remainder. The caller
 * holds the session's lock.
 */
export async function tillLimits(
  tx: Tx,
  { sessionId, maxAmount, maxTotal }: RechargeSessionPrincipal,
): Promise<readonly EffectiveLimit[]> {
  const limits: EffectiveLimit[] = [];
  if (maxAmount !== undefined) limits.push({ name: "sale_limit", amount: maxAmount, left: maxAmount, until: null });
  if (maxTotal !== undefined) {
    const left = leftOf(maxTotal, await soldBySession(tx, sessionId));
    limits.push({ name: "session_limit", amount: maxTotal, left, until: null });
  }
  return limits;
}
