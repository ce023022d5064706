import { entityTag } from "../../../http/answer-call.ts";
import { createShortCache } from "../../../shared/short-cache.ts";
import { type BrokerContext, toInstant } from "../../access/broker-context.ts";
import type { GatedHandler, Granted } from "../../access/policy/gate.ts";
import { namesFor } from "../../people/contacts/tell-names.ts";
import { sideOf } from "../../people/history/movement.ts";

type Service = Granted<"quotaSession", "widgetSession">;

/**
 * The service is asked for a user's quota at most once in this time, however many pages poll it, unless this process
 * hears meanwhile that the user's money has moved.
 */
const CACHE_MS = 5_000;
const MAX_CACHED = 10_000;
/** Seconds between two polls of an open page: nobody waits for a quota as for a payment. */
const POLL_AFTER_SECONDS = "30";

async function load(service: Service, subjectUserId: string, { clock, sql }: Pick<BrokerContext, "clock" | "sql">) {
  const asOf = clock();
  const [{ body: user }, { body: payments }] = await Promise.all([service.user({}), service.transactionHistory({})]);
  const seen = payments.map((payment) => ({ ...payment, ...sideOf(payment, subjectUserId) }));
  const others = seen.map(({ other }) => other);
  const nameOf = await namesFor(sql, subjectUserId, others);
  const movements = seen.map(({ id, kind, status, direction, other, amount, created_at }) => {
    return { id, kind, status, direction, counterparty: nameOf(other), amount, created_at };
  });
  return { asOf, user, movements };
}

/** Answers a page one user's quota and latest movements, at most five seconds old and never from before a hint. */
export function quotaSession(broker: BrokerContext): GatedHandler<"quotaSession", "widgetSession"> {
  const { now, clock, currency, hints } = broker;
  const cache = createShortCache<Awaited<ReturnType<typeof load>>>({ now, lifeMs: CACHE_MS, maxKeys: MAX_CACHED });
  hints.onInvalidate((topic) => {
    if (topic.startsWith("user:")) cache.forget(topic.slice("user:".length));
  });

  return async ({ principal }, service) => {
    const { subjectUserId, shownUntil } = principal;
    // The fields that pass are the same for every session that shows this user, whichever merchant's.
    const { value } = await cache.get(subjectUserId, () => load(service, subjectUserId, broker));
    const { asOf, user, movements } = value;
    const lasting = {
      kind: "quota" as const,
      name: user.business_name ?? user.name,
      quota: user.quota,
      quota_available: user.quota_available,
      score: user.score,
      status: user.status,
      currency: currency.code,
      movements,
      expires_at: toInstant(shownUntil),
    };
    const expiresIn = Math.max(0, Math.floor((shownUntil.getTime() - clock().getTime()) / 1000));
    // `as_of` and `expires_in` change by themselves: they make no new version.
    const headers = { ETag: entityTag(JSON.stringify(lasting)), "Retry-After": POLL_AFTER_SECONDS };
    return { body: { ...lasting, as_of: toInstant(asOf), expires_in: expiresIn }, headers };
  };
}
