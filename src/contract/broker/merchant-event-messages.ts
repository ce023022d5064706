import * as v from "valibot";
import { MerchantEvent, type MerchantEventType } from "./merchant-events.ts";

/** The documents' texts on each event that a merchant's webhook receives. */
export const merchantEventTexts: Readonly<
  Record<MerchantEventType, { readonly summary: string; readonly description: string }>
> = Object.freeze({
  "payment.paid": {
    summary: "The order of a session is paid",
    description: "Deliver on this, or on GET /v1/sessions/{session_id}: the page's own event proves nothing.",
  },
  "payment.refunded": {
    summary: "A payment was given back, whole or in part",
    description:
      "Whoever did it: the merchant's backend, the payee in the app, or the fintech. `refunded_amount` is all that " +
      "was given back so far; of several messages the one with the most is the latest.",
  },
  "payment.expired": {
    summary: "A session's code expired unpaid",
    description: "Nobody can pay it any more. A session that the merchant cancelled itself is told by nothing.",
  },
});

/** Returns the schema of a whole message (`type`, `timestamp`, `data`) of one type of event. */
export function merchantEventMessage(type: MerchantEventType) {
  const { timestamp, data } = MerchantEvent.entries;
  return v.object({ type: v.pipe(v.literal(type), v.description("What happened.")), timestamp, data });
}
