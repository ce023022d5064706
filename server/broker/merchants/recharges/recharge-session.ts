import { entityTag } from "../../../http/answer-call.ts";
import { type BrokerContext, toInstant, toNumber, toSum } from "../../access/broker-context.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import { soldBySession, soldOnDay } from "./recharge-store.ts";

/**
 * Answers a till's page its session: the seller, the most that one top-up may be, the amount left to sell, and the
 * number and sum of the till's approved sales of today.
 */
export function rechargeSession(broker: BrokerContext): GatedHandler<"rechargeSession", "widgetSession"> {
  const { sql, clock, time, currency } = broker;
  return async ({ principal }) => {
    const { sessionId, merchantId, seller, till, maxAmount, maxTotal, shownUntil } = principal;
    const at = clock();
    const [sold, day] = await Promise.all([
      maxTotal === undefined ? 0n : soldBySession(sql, sessionId),
      soldOnDay(sql, { merchantId, till, day: time.dayOf(at) }),
    ]);
    const lasting = {
      kind: "recharge" as const,
      seller,
      ...(till === undefined ? {} : { till }),
      currency: currency.code,
      ...(maxAmount === undefined ? {} : { max_amount: toNumber(broker, maxAmount) }),
      ...(maxTotal === undefined ? {} : { left_to_sell: toNumber(broker, maxTotal - sold) }),
      sold_today: { count: day.count, amount: toSum(broker, day.amount) },
      expires_at: toInstant(shownUntil),
    };
    const body = { ...lasting, expires_in: Math.max(0, Math.floor((shownUntil.getTime() - at.getTime()) / 1000)) };
    // The time left changes by itself: it makes no new version of the session.
    return { body, headers: { ETag: entityTag(JSON.stringify(lasting)) } };
  };
}
