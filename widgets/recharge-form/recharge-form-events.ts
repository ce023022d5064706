import type { RechargeChange, RechargeState } from "./recharge-form-state.ts";

/**
 * Detail of `recharge-done` and `recharge-rejected`: the sale of a top-up, with the receiver's masked name and no other
 * data of that person.
 */
export interface RechargeDetail {
  /** Absent where it was refused before it was kept. */
  readonly id: string | undefined;
  readonly reference: string | undefined;
  readonly name: string | undefined;
  /** In currency units. */
  readonly amount: number | undefined;
  /** ISO 4217. */
  readonly currency: string | undefined;
  /** ISO 8601, by the server's clock. */
  readonly created_at: string | undefined;
  /** Why it was rejected, a code such as `insufficient_balance` or `limit_exceeded`; no money moved. */
  readonly reason: string | undefined;
}

/**
 * Detail of `recharge-error`: a code of the broker's problem documents, or `no_answer`, `not_understood`, `no_session`
 * (the page's own `fetchSession` failed).
 */
export interface RechargeErrorDetail {
  readonly code: string;
  /** The element asks again by itself; a sale whose outcome is not known is among that, and is never sold twice. */
  readonly recovering: boolean;
}

/** The events of `<recharge-form>` by type: they bubble, cross shadow roots, and report no state change twice. */
export interface RechargeFormEventMap {
  /** A top-up was sold. Trust the server's word (webhook, `GET /v1/recharges`), never this event alone. */
  "recharge-done": CustomEvent<RechargeDetail>;
  /** A top-up was rejected, and no money moved. */
  "recharge-rejected": CustomEvent<RechargeDetail>;
  /** Something did not work. */
  "recharge-error": CustomEvent<RechargeErrorDetail>;
}

/**
 * Returns the event that reports a state change to the merchant's page; undefined for a change that is only announced
 * to the person.
 */
export function eventFor(news: RechargeChange, { recharge, fault, offline }: RechargeState): CustomEvent | undefined {
  if (news === "receipt" || news === "rejected") {
    const { state: _, till: __, ...detail } = recharge ?? {};
    return event(news === "receipt" ? "recharge-done" : "recharge-rejected", detail);
  }
  const recovering = news === "offline" || news === "unsure";
  if (!recovering && news !== "failed" && news !== "missed") return undefined;
  return event("recharge-error", { code: news === "offline" ? offline : fault?.code, recovering });
}

function event(type: keyof RechargeFormEventMap, detail: object): CustomEvent {
  return new CustomEvent(type, { detail, bubbles: true, composed: true });
}
