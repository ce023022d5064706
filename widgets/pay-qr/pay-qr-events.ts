import type { PayQrChange, PayQrState } from "./pay-qr-state.ts";

/**
 * The payment that an event of `<pay-qr>` is about; detail of `pay-ready` and `pay-paid`, and part of that of
 * `pay-rejected` and `pay-expired`.
 */
export interface PaymentDetail {
  readonly reference: string;
  /** In currency units; absent where the payer types it. */
  readonly amount: number | undefined;
  /** ISO 4217. */
  readonly currency: string;
}

/** Detail of `pay-rejected`: how many attempts were rejected so far. The code stays payable. */
export interface RejectedDetail extends PaymentDetail {
  readonly attempts: number;
}

/**
 * Detail of `pay-expired`: `confirmed` is false if only the element's countdown shows the expiry, because the session
 * ended before the broker could be asked once more.
 */
export interface ExpiredDetail extends PaymentDetail {
  readonly confirmed: boolean;
}

/**
 * Detail of `pay-error`: a code of the broker's problem documents (`qr_cancelled` for a payment that was withdrawn), or
 * `no_answer`, `not_understood`, `no_session` (the page's own `fetchSession` failed).
 */
export interface PayErrorDetail {
  readonly code: string;
  /** The element goes on by itself; the code that it shows stays payable. */
  readonly recovering: boolean;
}

/** The events of `<pay-qr>` by type: they bubble, cross shadow roots, and report no state change twice. */
export interface PayQrEventMap {
  /** A code is shown that can be paid. */
  "pay-ready": CustomEvent<PaymentDetail>;
  /** It was paid. Deliver on the server's word (webhook, `GET /v1/sessions/{id}`), never on this event alone. */
  "pay-paid": CustomEvent<PaymentDetail>;
  /** An attempt was rejected; another may follow. */
  "pay-rejected": CustomEvent<RejectedDetail>;
  /** Its time is over. */
  "pay-expired": CustomEvent<ExpiredDetail>;
  /** It cannot be shown, or its state cannot be had at the moment. */
  "pay-error": CustomEvent<PayErrorDetail>;
}

/** A code for "withdrawn" that the service uses too. */
const CANCELLED_CODE = "qr_cancelled";

/**
 * Returns the event that reports a state change to the merchant's page; undefined for a change that is only announced
 * to the person.
 */
export function eventFor(news: PayQrChange, state: PayQrState): CustomEvent | undefined {
  const { session } = state;
  const payment = {
    reference: session?.reference ?? "",
    amount: session?.amount,
    currency: session?.currency ?? "",
  };
  const error = ["pay-error", { code: state.fault ?? CANCELLED_CODE, recovering: news === "offline" }] as const;
  const events: { readonly [news in PayQrChange]?: readonly [keyof PayQrEventMap, object] } = {
    ready: ["pay-ready", payment],
    paid: ["pay-paid", payment],
    rejected: ["pay-rejected", { ...payment, attempts: session?.rejected_attempts ?? 0 }],
    expired: ["pay-expired", { ...payment, confirmed: !state.lapsed }],
    cancelled: error,
    failed: error,
    offline: error,
  };
  const [type, detail] = events[news] ?? [];
  return type && new CustomEvent(type, { detail, bubbles: true, composed: true });
}
