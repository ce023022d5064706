import type { RechargeNews, RechargeState } from "./recharge-form-state.ts";

/** Of `recharge-done`: the top-up that was sold, with the receiver's masked name and nothing else of the person's. */
export interface RechargeDoneDetail {
  readonly id: string;
  readonly reference: string | undefined;
  readonly name: string;
  /** In currency units. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
  /** ISO 8601, by the server's clock. */
  readonly created_at: string;
}

/** Of `recharge-rejected`: no money moved. */
export interface RechargeRejectedDetail {
  /** A code such as `insufficient_balance` or `limit_exceeded`. */
  readonly reason: string;
  readonly name: string;
  readonly amount: number;
  readonly currency: string;
}

/**
 * Of `recharge-error`: a code of the broker's problem documents, or `no_answer`, `not_understood`, `no_session` (the
 * page's own `fetchSession` failed).
 */
export interface RechargeErrorDetail {
  readonly code: string;
  /** The element asks again by itself; a sale whose outcome is not known is among that, and is never sold twice. */
  readonly recovering: boolean;
}

/** The events of `<recharge-form>`: they bubble, cross shadow roots, and each happening is told exactly once. */
export interface RechargeFormEventMap {
  /** A top-up was sold. Trust the server's word (webhook, `GET /v1/recharges`), never this event alone. */
  "recharge-done": CustomEvent<RechargeDoneDetail>;
  /** A top-up was rejected, and no money moved. */
  "recharge-rejected": CustomEvent<RechargeRejectedDetail>;
  /** Something did not work. */
  "recharge-error": CustomEvent<RechargeErrorDetail>;
}

/** The event that a piece of news is to the page, or none where it concerns only the person. */
export function eventFor(news: RechargeNews, state: RechargeState): CustomEvent | undefined {
  const { recharge, person, session, amount = 0, fault, offline } = state;
  const { id = "", reference, name = person?.name ?? "", created_at = "" } = recharge ?? {};
  const sale = { name, amount: recharge?.amount ?? amount, currency: recharge?.currency ?? session?.currency ?? "" };
  if (news === "done") return event("recharge-done", { ...sale, id, reference, created_at });
  if (news === "rejected") return event("recharge-rejected", { ...sale, reason: reasonOf(state) });
  const recovering = news === "offline" || news === "unsure";
  if (!recovering && news !== "failed" && (news !== "missed" || fault?.code === "user_not_found")) return undefined;
  const code = (news === "offline" ? offline : fault?.code) ?? "no_answer";
  return event("recharge-error", { code, recovering });
}

/** Why a top-up was not made: the payment's own reason, or the code that refused it before. */
export function reasonOf({ recharge, fault }: RechargeState): string {
  return recharge?.reason ?? fault?.code ?? "rejected";
}

function event<T>(type: keyof RechargeFormEventMap, detail: T): CustomEvent<T> {
  return new CustomEvent(type, { detail, bubbles: true, composed: true });
}
