import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { addressKey } from "../../../http/client-address.ts";
import { type BrokerContext, invalidField, readAmount, takeFromLimit } from "../../access/broker-context.ts";
import { refuseFrozen } from "../../access/freeze-store.ts";
import { isLiveKey } from "../../access/merchant-keys.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import { principalLabel } from "../../access/principal.ts";
import type { SessionCall, SessionReply } from "./session-attempt.ts";
import { readLimits, refuseFieldFaults } from "./session-fields.ts";
import { startPaySession } from "./start-pay-session.ts";
import { startQuotaSession } from "./start-quota-session.ts";
import { startTimedSession } from "./start-timed-session.ts";

/** Refuses a session for pages that are none of the merchant's, whoever asks. */
function refuseOrigin({ body, principal }: SessionCall): void {
  if (principal.origins.includes(body.origin)) return;
  throw new ApiError("not_allowed", { detail: "origin is not among those that the merchant listed." });
}

/** Refuses to lead payers to a page that is on none of the merchant's origins. */
function refuseReturn({ body, principal }: SessionCall): void {
  if (body.return_url === undefined || principal.origins.includes(new URL(body.return_url).origin)) return;
  throw invalidField("/return_url", "must be on an origin that the merchant listed");
}

/** Refuses a till if the merchant's key may not sell top-ups, or the user who pays for its sales is frozen. */
async function refuseSeller({ sql }: BrokerContext, { principal }: SessionCall): Promise<void> {
  const { merchantId, userId, sellsTopUps, restricted } = principal;
  if (sellsTopUps) return refuseFrozen(sql, userId);
  if (restricted) {
    const detail = "A second admin has to agree to this key first; where nothing waits for that, rotate it.";
    throw new ApiError("not_allowed", { detail });
  }
  const command = `npm run merchant -- change ${merchantId} --sells-top-ups`;
  throw new ApiError("not_allowed", {
    detail: `This merchant may not sell top-ups: an operator allows it by ${command}.`,
  });
}

/** Refuses a session whose key ended, or lost a power, while it was made: ending the key has not ended the session. */
async function refuseEndedKey({ sql }: BrokerContext, principal: SessionCall["principal"]): Promise<void> {
  if (!(await isLiveKey(sql, principal))) throw new ApiError("unauthorized");
}

/**
 * Starts a widget session of any kind for a merchant's backend, or finds the one that its order or idempotency key
 * started.
 */
export function createSession(broker: BrokerContext): GatedHandler<"merchant", "createSession"> {
  return async (call, service): Promise<SessionReply> => {
    const { body, principal } = call;
    refuseFieldFaults(body);
    takeFromLimit(broker.sessionLimit, principalLabel(principal));
    refuseOrigin(call);
    refuseReturn(call);
    if (body.kind === "pay") {
      readAmount(broker, body.amount ?? 0);
      return startPaySession(broker, call, service);
    }
    if (body.kind === "recharge") await refuseSeller(broker, call);
    const reply =
      body.kind === "quota"
        ? await startQuotaSession(broker, call, service)
        : await startTimedSession(broker, call, service, { ...readLimits(broker, body), till: body.till ?? null });
    await refuseEndedKey(broker, principal);
    return reply;
  };
}

/**
 * Starts a widget session for a page that has only the publishable key: of kind pay, without an order, for the page's
 * own origin, and of an amount that is at most the merchant's `openAmountLimit`; refused to a merchant that has no such
 * limit.
 */
export function createPageSession(broker: BrokerContext): GatedHandler<"publishable", "createSession"> {
  return async (call, service): Promise<SessionReply> => {
    const { body, principal, origin, address } = call;
    const refuse = (detail: string): ApiError => new ApiError("not_allowed", { detail });
    const { openAmountLimit } = principal;
    if (body.kind !== "pay" || openAmountLimit === null) {
      throw refuse("This merchant's backend starts sessions with its server key.");
    }
    // Readers of `order` take it for the merchant's own, and the amount for that order's price.
    if (body.order !== undefined)
      throw invalidField("/order", "belongs to your backend: a page puts its own in details");
    if (Object.hasOwn(body.details ?? {}, "order"))
      throw invalidField("/details/order", "belongs to your backend: a page names its own data otherwise");
    if (body.return_url !== undefined)
      throw invalidField("/return_url", "belongs to your backend: a page leads nobody anywhere");
    refuseFieldFaults(body);
    if (readAmount(broker, body.amount ?? 0) > openAmountLimit) {
      throw refuse("The amount is over the merchant's limit.");
    }
    if (origin !== body.origin) throw refuse("origin must be that of the page itself.");
    refuseOrigin(call);
    // Limits come last, the visitor's first: neither requests that start nothing nor one visitor shut the others out.
    takeFromLimit(broker.pageSessionLimit, addressKey(address));
    takeFromLimit(broker.sessionLimit, principalLabel(principal));
    return startPaySession(broker, call, service);
  };
}
