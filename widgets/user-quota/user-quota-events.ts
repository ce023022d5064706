import type { QuotaSession } from "../../src/contract/broker/broker.ts";
import type { UserQuotaChange, UserQuotaState } from "./user-quota-state.ts";

/** Detail of `quota-loaded`: what is shown of the quota, and so without amounts and score while they are masked. */
export interface QuotaDetail {
  /** In currency units: what can be spent. Absent while masked, and where the user has no quota. */
  readonly available: number | undefined;
  /** In currency units: the posted quota. Absent while masked, and where the user has no quota. */
  readonly quota: number | undefined;
  /** From 0 to 1000. Absent while masked or left out, and where the user has none. */
  readonly score: number | undefined;
  readonly status: QuotaSession["status"];
  /** ISO 4217. */
  readonly currency: string;
  /** ISO 8601, by the server's clock. */
  readonly asOf: string;
}

/**
 * Detail of `quota-error`: a code of the broker's problem documents (`not_allowed` or `unauthorized` where the user has
 * not given the merchant consent, or has revoked it), or `no_answer`, `not_understood`, `no_session` (the page or its
 * backend gave none).
 */
export interface QuotaErrorDetail {
  readonly code: string;
  /** The element goes on by itself; what it shows stays, with its time. */
  readonly recovering: boolean;
}

/** The events of `<user-quota>` by type: they bubble, cross shadow roots, and report no state change twice. */
export interface UserQuotaEventMap {
  /** The quota is shown, or something new of it. */
  "quota-loaded": CustomEvent<QuotaDetail>;
  /** It cannot be shown, or there is no news of it at the moment. */
  "quota-error": CustomEvent<QuotaErrorDetail>;
}

/** Settings of the element that leave values out: `masked` the amounts and the score, `hideScore` the score alone. */
export interface Hidden {
  readonly masked: boolean | undefined;
  readonly hideScore: boolean | undefined;
}

/**
 * Returns the event that reports a state change to the merchant's page; undefined for a change that is only announced
 * to the person.
 */
export function eventFor(news: UserQuotaChange, state: UserQuotaState, hidden: Hidden): CustomEvent | undefined {
  if (news === "loaded" && state.session !== undefined) return event("quota-loaded", detailOf(state.session, hidden));
  if (news === "same" || news === "online" || state.fault === undefined) return undefined;
  return event("quota-error", { code: state.fault, recovering: news === "offline" });
}

function detailOf(session: QuotaSession, { masked, hideScore }: Hidden): QuotaDetail {
  const shown = (value: number | null, isHidden: boolean | undefined) => (isHidden ? undefined : (value ?? undefined));
  return {
    available: shown(session.quota_available, masked),
    quota: shown(session.quota, masked),
    score: shown(session.score, masked || hideScore),
    status: session.status,
    currency: session.currency,
    asOf: session.as_of,
  };
}

function event<T>(type: keyof UserQuotaEventMap, detail: T): CustomEvent<T> {
  return new CustomEvent(type, { detail, bubbles: true, composed: true });
}
