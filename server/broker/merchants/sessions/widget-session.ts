import { qrPayloadLink } from "../../../../src/qr-payload.ts";
import { entityTag } from "../../../http/answer-call.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";

/** Seconds before which asking again brings nothing new. */
const POLL_AFTER_SECONDS = "1";
/** States that may still change. */
const LIVE_STATES: ReadonlySet<string> = new Set(["unpaid", "pending"]);

/** Answers a page its payment session: the code to show, its state, and how many attempts to pay it were rejected. */
export function widgetSession({ publicOrigin }: BrokerContext): GatedHandler<"paySession", "widgetSession"> {
  return async ({ principal: { rejectedAttempts } }, service) => {
    const { body: code } = await service.transactionQr({});
    const lasting = {
      kind: "pay" as const,
      state: code.state,
      payee: code.to_user,
      amount: code.amount,
      currency: code.currency,
      reference: code.reference,
      check_code: code.check_code,
      payload: code.payload,
      app_link: qrPayloadLink(publicOrigin, code.payload),
      expires_at: code.expires_at,
      rejected_attempts: rejectedAttempts,
    };
    const body = { ...lasting, expires_in: code.expires_in };
    // The time left changes by itself: it makes no new version of the session.
    const headers = { ETag: entityTag(JSON.stringify(lasting)) };
    return { body, headers: LIVE_STATES.has(code.state) ? { ...headers, "Retry-After": POLL_AFTER_SECONDS } : headers };
  };
}
