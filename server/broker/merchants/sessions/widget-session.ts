import { qrPayloadLink } from "../../../../src/qr-payload.ts";
import { entityTag } from "../../../http/answer-call.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import type { GatedHandler, Granted } from "../../access/policy/gate.ts";
import { createShortCache } from "../../access/short-cache.ts";

type Code = Awaited<ReturnType<Granted<"paySession", "widgetSession">["transactionQr"]>>["body"];

/** The service is asked about a session at most once a second, however many pages poll it. */
const CACHE_MS = 1_000;
const MAX_CACHED = 10_000;
/** Seconds before which asking again brings nothing new. */
const POLL_AFTER_SECONDS = "1";
/** States that may still change. */
const LIVE_STATES: ReadonlySet<string> = new Set(["unpaid", "pending"]);

/** Answers a page its payment session: the code to show, its state, and how many attempts to pay it were rejected. */
export function widgetSession(broker: BrokerContext): GatedHandler<"paySession", "widgetSession"> {
  const { now, publicOrigin, hints } = broker;
  const cache = createShortCache<Code>({ now, lifeMs: CACHE_MS, maxKeys: MAX_CACHED });
  hints.onInvalidate((topic) => cache.forget(topic));

  return async ({ principal }, service) => {
    const { reference, rejectedAttempts } = principal;
    const load = async () => (await service.transactionQr({})).body;
    const { value: code, ageMs } = await cache.get(`code:${reference}`, load);
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
    const body = { ...lasting, expires_in: Math.max(0, Math.floor(code.expires_in - ageMs / 1000)) };
    // The time left changes by itself: it makes no new version of the session.
    const headers = { ETag: entityTag(JSON.stringify(lasting)) };
    return { body, headers: LIVE_STATES.has(code.state) ? { ...headers, "Retry-After": POLL_AFTER_SECONDS } : headers };
  };
}
