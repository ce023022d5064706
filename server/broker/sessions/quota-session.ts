import { entityTag } from "../../http/answer-call.ts";
import { type BrokerContext, toInstant } from "../broker-context.ts";
import type { GatedHandler } from "../gate.ts";
import { sideOf } from "../people/movement.ts";

/** Seconds between two looks of an open page: a quota is no payment that somebody waits for. */
const LOOK_AGAIN = "30";

/** Shows a page one user's quota and last movements. */
export function quotaSession({ currency, clock }: BrokerContext): GatedHandler<"quotaSession", "widgetSession"> {
  return async ({ principal }, service) => {
    const { subjectUserId, shownUntil } = principal;
    const [{ body: user }, { body: payments }] = await Promise.all([service.user({}), service.transactionHistory({})]);
    const at = clock();
    const lasting = {
      kind: "quota" as const,
      name: user.business_name ?? user.name,
      quota: user.quota,
      quota_available: user.quota_available,
      score: user.score,
      status: user.status,
      currency: currency.code,
      movements: payments.map((payment) => {
        const { id, kind, status, amount, created_at } = payment;
        return { id, kind, status, ...sideOf(payment, subjectUserId), amount, created_at };
      }),
      expires_at: toInstant(shownUntil),
    };
    const expiresIn = Math.max(0, Math.floor((shownUntil.getTime() - at.getTime()) / 1000));
    // When it was asked and the time left change by themselves: they make no new version.
    const headers = { ETag: entityTag(JSON.stringify(lasting)), "Retry-After": LOOK_AGAIN };
    return { body: { ...lasting, as_of: toInstant(at), expires_in: expiresIn }, headers };
  };
}
